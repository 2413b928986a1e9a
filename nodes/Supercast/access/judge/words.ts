/** Words that a user types into a text field, and which of them a value is. No word is code. */

import { isBlank } from '../../operations/texts';
import { textOf } from '../../api/json';

/** Stands for a record without a status, or without a product. */
export const EMPTY = '(empty)';

/** Stands for every value that no list has. */
export const OTHER = '(other)';

/** A word as it is compared: without capital letters, and without spaces around it. */
export function wordKey(value: unknown): string {
	return textOf(value).trim().toLowerCase().normalize('NFC');
}

/** Several lists of words, such as those of Open For, Keep For and Close For. */
export class WordLists<Name extends string> {
	private readonly lines = new Map<string, Name>();

	/** The parts of lines that have commas. */
	private readonly parts = new Map<string, Name>();

	/** Words that stand in two lists, as they were typed, with the names of these lists. */
	readonly doubled: Array<{ word: string; lists: [Name, Name] }> = [];

	/** @param texts One word a line, or several with commas. An expression may return a list. */
	constructor(texts: Readonly<Record<Name, unknown>>) {
		for (const [name, text] of Object.entries(texts) as Array<[Name, unknown]>) {
			for (const line of linesOf(text)) {
				this.add(this.lines, line, name);
				if (line.includes(','))
					for (const part of line.split(',')) this.add(this.parts, part, name);
			}
		}
	}

	/** Whether no list has a word. */
	get isEmpty(): boolean {
		return this.lines.size === 0;
	}

	/** Whether a list has words. */
	has(name: Name): boolean {
		return [...this.lines.values()].includes(name);
	}

	/** The list that has the word. A whole line counts before its parts. */
	find(value: unknown): Name | undefined {
		const key = wordKey(value);
		return this.lines.get(key) ?? this.parts.get(key);
	}

	private add(words: Map<string, Name>, word: string, name: Name): void {
		const key = wordKey(word);
		if (key === '') return;
		const other = this.find(key);
		if (other !== undefined && other !== name) {
			this.doubled.push({ word: word.trim(), lists: [other, name] });
		}
		words.set(key, name);
	}
}

function linesOf(text: unknown): string[] {
	const lines = Array.isArray(text) ? text.map(textOf) : textOf(text).split(/[\r\n]+/);
	return lines.filter((line) => !isBlank(line));
}
