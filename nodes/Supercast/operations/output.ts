import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { isRecord, textOf } from '../api/json';
import type { RecordKind } from './kinds';
import { choice, choiceField, switchField, textField } from './properties';
import type { ItemParameters, ItemTask } from './types';
import { isOn, requireChoice } from './validation';

/** For operations whose records have more than ten fields. */
export const simplifyProperty: INodeProperties = switchField('simplify', 'Simplify', {
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	displayOptions: { hide: { '@tool': [true] } },
});

/** The parameter Simplify, if records of this kind can be simplified. */
export function simplifyProperties(kind: RecordKind): INodeProperties[] {
	return kind.simplify === undefined ? [] : [simplifyProperty];
}

/** Simplifies records, if the item asks for it. */
export function simplifier(
	{ simplify }: RecordKind,
	item: ItemParameters,
): (record: IDataObject) => IDataObject {
	const isWanted =
		simplify !== undefined &&
		(item.isTool
			? toolOutput(item) === 'simplified'
			: isOn(item.parameter('simplify'), 'Simplify'));
	return isWanted ? simplify : (record) => record;
}

/** Deletions return no record. */
const forTools = { show: { '@tool': [true] }, hide: { operation: ['delete'] } };

const outputProperty = choiceField('output', 'Output', {
	default: 'simplified',
	description:
		'How much of each record the AI agent sees. Anyone who has a private feed address can listen to that feed.',
	options: [
		choice('raw', 'Raw', 'All fields, including private feed addresses'),
		choice('selected', 'Selected Fields', 'Only the fields that you list'),
		choice('simplified', 'Simplified', 'The most useful fields, without private feed addresses'),
	],
	displayOptions: forTools,
});

/** The parameters for what an AI agent sees. Only the tool shows them, not the node. */
export const toolOutputProperties: INodeProperties[] = [
	outputProperty,
	textField('outputFields', 'Fields', {
		example: 'email, state, plan_name',
		description:
			"Supercast's names of the fields to return, separated by commas. To include private feed addresses, add subscriptions (of a subscriber) or feed_url (of a feed).",
		displayOptions: { show: { ...forTools.show, output: ['selected'] }, hide: forTools.hide },
	}),
];

function toolOutput(item: ItemParameters): string {
	return requireChoice(item.parameter('output', 'simplified'), outputProperty);
}

/** Limits a task's output to what an agent may see. Throws InputError if no field is selected. */
export function taskForTool(task: ItemTask, item: ItemParameters): ItemTask {
	const shape = shapeFor(item);
	return {
		...task,
		run: async (client, addHint, place) => {
			const notes: IDataObject[] = [];
			const note = (text: string): void => {
				if (task.isList === true) notes.push({ note: text });
				addHint?.(text);
			};
			const records = await task.run(client, note, place);
			return [...notes, ...records.map(shape)];
		},
	};
}

function shapeFor(item: ItemParameters): (record: IDataObject) => IDataObject {
	const output = toolOutput(item);
	if (output === 'raw') return (record) => record;
	if (output === 'simplified') return (record) => stripped(record) as IDataObject;
	const names = textOf(item.parameter('outputFields', '')).split(',');
	const fields = names.map((name) => name.trim()).filter((name) => name !== '');
	if (fields.length === 0) {
		throw new InputError("'Fields' is empty", "List the fields to return, such as 'email, state'.");
	}
	return (record) => picked(record, fields);
}

/** The fields that a record has. */
export function picked(record: IDataObject, names: string[]): IDataObject {
	const present = names.filter((name) => Object.hasOwn(record, name));
	return Object.fromEntries(present.map((name) => [name, record[name]]));
}

/** Fields with private feed addresses, or links to them (Supercast API reference, subscribers). */
const ADDRESS_FIELD = /feed[\s_-]?(url|token|link|address)|player[\s_-]?link/i;

/**
 * Matches a private feed address anywhere in a text. The format comes from public code. In links,
 * JSON or HTML, some characters are encoded, perhaps repeatedly.
 */
const ADDRESS = new RegExp(
	`${[...'/feeds/'].map(anyForm).join('')}(?:[\\w-]|%(?:25)*[0-9a-f]{2}){8,}`,
	'gi',
);

function anyForm(character: string): string {
	const hex = character.charCodeAt(0).toString(16);
	const forms = [`%(?:25)*${hex}`, `\\\\+u00${hex}`, `&#x0*${hex};`, `&#0*${parseInt(hex, 16)};`];
	return `(?:\\\\*${character}|${forms.join('|')})`;
}

/** Replaces the private feed addresses in a text, such as Supercast's reason for a refusal. */
export function maskFeedAddresses(text: string): string {
	return text.replace(ADDRESS, '/feeds/[private]');
}

/** Removes private feed addresses, because anyone who has one can listen. */
function stripped(value: unknown): unknown {
	if (Array.isArray(value)) return value.filter((one) => !isAddress(one)).map(stripped);
	if (!isRecord(value)) return value;
	const entries = Object.entries(value).filter(
		([name, one]) => !ADDRESS_FIELD.test(name) && !isAddress(name) && !isAddress(one),
	);
	return Object.fromEntries(entries.map(([name, one]) => [name, stripped(one)]));
}

function isAddress(value: unknown): boolean {
	return typeof value === 'string' && value.search(ADDRESS) >= 0;
}
