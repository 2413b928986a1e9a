import { join } from 'node:path';

import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import prh from 'textlint-rule-prh';

import { sentenceLength } from './sentenceLength';
import type { Text } from './texts';

/**
 * A place where a text should say something differently. `line` counts from 1, in the text's own
 * file.
 */
export interface ProseFinding {
	file: string;
	line: number;
	message: string;
}

const MOST_WORDS = 20;
const kernel = new TextlintKernel();

export const dictionaries = {
	all: join(__dirname, 'words.yml'),
	interface: join(__dirname, 'interface.yml'),
};

/** Ends each list, table and paragraph of Markdown. */
const BETWEEN = '\n\n***\n\n';

/** Checks texts of one file and one kind against the dictionaries, and the length of their sentences. */
export async function lintProse(...texts: Text[]): Promise<ProseFinding[]> {
	const [{ file, kind } = { file: '', kind: '' }] = texts;
	const rulePaths = [dictionaries.all, ...(kind === 'interface' ? [dictionaries.interface] : [])];
	const checks = { checkLink: true, checkBlockQuote: true, checkEmphasis: true };
	// One call checks all texts, because each call reads the dictionaries again.
	const content = texts.map(({ text }) => text).join(BETWEEN);
	const { messages } = await kernel.lintText(content, {
		ext: '.md',
		plugins: [{ pluginId: 'markdown', plugin: markdown }],
		rules: [
			{ ruleId: 'words', rule: prh, options: { rulePaths, ...checks } },
			{ ruleId: 'sentence-length', rule: sentenceLength, options: { max: MOST_WORDS } },
		],
	});
	return messages.map(({ loc, message }) => ({
		file,
		line: lineOf(texts, loc.start.line),
		message: message.replaceAll('\n', ' '),
	}));
}

/** The line of a finding in its file. For texts inside a file, it is the line where they begin. */
function lineOf(texts: readonly Text[], lineOfAll: number): number {
	let before = 0;
	for (const { text, line, kind } of texts) {
		const next = before + `${text}${BETWEEN}`.split('\n').length - 1;
		if (lineOfAll <= next) return kind === 'page' ? lineOfAll : line;
		before = next;
	}
	return lineOfAll;
}
