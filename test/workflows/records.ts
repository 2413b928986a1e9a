import type { IDataObject } from 'n8n-workflow';

import type { WorkflowNode } from '../harness/n8n/setup';
import { after, before, nodeNamed, valuesOf } from './files';
import { fieldsOf, resolved, type From, type Ran } from './resolve';

/** What a person changes in a file, and what the nodes that read the list have returned. */
interface How extends Pick<From, 'edit'> {
	ran?: Ran;
}

/** What **Who Is a Member** makes of what the nodes before it have read: pages, or rows. */
export function whoIs(file: string, read: IDataObject[], how: How = {}): IDataObject[] {
	return passedThrough(file, wayTo(file, isPaged(file) ? EACH : 'Who Is a Member'), read, how);
}

/** Splits pages of records. A file with rows has none. */
const EACH = 'Each Record';
const isPaged = (file: string) => nodeNamed(file, EACH) !== undefined;

/** What **The List** says of the pages or rows. */
export function theList(file: string, read: IDataObject[], how: How = {}): IDataObject {
	const [reader = ''] = before(file, 'The List');
	const ran: Ran = { ...how.ran };
	let items = read;
	for (const name of wayTo(file, reader)) {
		items = passed(file, name, items, how);
		ran[name] = items;
	}
	return passedThrough(file, ['The List'], items.slice(0, 1), { ...how, ran })[0] ?? {};
}

/** What nodes make of items, one after the other. */
export function passedThrough(
	file: string,
	names: string[],
	read: IDataObject[],
	how: How = {},
): IDataObject[] {
	return names.reduce((items, name) => passed(file, name, items, how), read);
}

/** The names of the nodes that every record passes until a node, in their order. */
function wayTo(file: string, last: string): string[] {
	const isFilter = (name: string) => nodeNamed(file, name)?.type.endsWith('.filter');
	const names = [before(file, 'Who Counts').find(isFilter) ?? 'Who Counts'];
	for (let now = names[0]; now !== undefined && now !== last; now = names.at(-1)) {
		const next = after(file, now).find((name) => name !== 'The List');
		if (next === undefined) throw new Error(`${file} does not lead to ${last}`);
		names.push(next);
	}
	return names;
}

/** What a node returns. If it would return nothing, n8n passes one empty item on. */
function passed(file: string, name: string, items: IDataObject[], how: How): IDataObject[] {
	const type = nodeNamed(file, name)?.type.replace('n8n-nodes-base.', '') ?? '';
	const found = items.flatMap((input, index) => {
		const from = { input, items, index, ...how };
		if (type === 'splitOut') return split(file, name, input);
		if (type === 'filter') return isLetThrough(file, name, from) ? [input] : [];
		return [edited(file, name, from)];
	});
	return found.length > 0 ? found : [{}];
}

function isLetThrough(file: string, name: string, from: From): boolean {
	const { conditions } = resolved(file, name, 'conditions', from) as {
		conditions: Array<{ leftValue: unknown }>;
	};
	return conditions.every(({ leftValue }) => leftValue === true);
}

/** As Split Out does with several fields: the first values of all of them, and so on. */
function split(file: string, name: string, page: IDataObject): IDataObject[] {
	const { fieldToSplitOut, fieldsToInclude } = nodeNamed(file, name)?.parameters as {
		fieldToSplitOut: string;
		fieldsToInclude: string;
	};
	const lists = fieldToSplitOut.split(', ').map((field) => [field, listIn(page[field])] as const);
	const length = Math.max(...lists.map(([, values]) => values.length));
	return Array.from({ length }, (_, at) => ({
		...Object.fromEntries(
			lists.flatMap(([field, values]) => (at in values ? [[field, values[at]]] : [])),
		),
		...named(page, fieldsToInclude),
	})) as IDataObject[];
}

function listIn(value: unknown): unknown[] {
	if (value === undefined) return [];
	return Array.isArray(value) ? (value as unknown[]) : [value];
}

/** As Edit Fields does: the fields in the file, and those of the item that it keeps. */
function edited(file: string, name: string, from: From): IDataObject {
	const { includeFields = '' } = nodeNamed(file, name)?.parameters as { includeFields?: string };
	const item = named(from.input, includeFields);
	for (const [path, value] of Object.entries(fieldsOf(file, name, from))) {
		const keys = path.split('.');
		const last = keys.pop() ?? '';
		const box = keys.reduce((inside, key) => (inside[key] ??= {}) as IDataObject, item);
		box[last] = value ?? null;
	}
	return item;
}

/** The fields that a node keeps. A field inside another one is kept under its own name. */
function named(item: IDataObject, names: string): IDataObject {
	const paths = names.split(',').map((one) => one.trim().split('.'));
	const found = paths.map((path) => [
		path.at(-1) ?? '',
		path.reduce<unknown>((value, key) => (value as IDataObject | null | undefined)?.[key], item),
	]);
	return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as IDataObject;
}

/** The values in **Who Counts** that begin with a word, such as `access`. */
export function countsOf(file: string, word = 'access'): Record<string, unknown> {
	const rows = Object.entries(valuesOf(file, 'Who Counts'));
	const own = rows.filter(([name]) => name.startsWith(`${word}.`));
	return Object.fromEntries(own.map(([name, value]) => [name.slice(word.length + 1), value]));
}

/** Changes values in **Who Counts**, and adds those that it lacks, as a person does. */
export function counting(values: Record<string, string>): (node: WorkflowNode) => void {
	return ({ name, parameters }) => {
		if (name !== 'Who Counts') return;
		const { assignments } = parameters.assignments as {
			assignments: Array<{ id: string; name: string; value: unknown; type: string }>;
		};
		for (const [field, value] of Object.entries(values)) {
			const known = assignments.find((one) => one.name === field);
			if (known === undefined) assignments.push({ id: field, name: field, value, type: 'string' });
			else known.value = value;
		}
	};
}
