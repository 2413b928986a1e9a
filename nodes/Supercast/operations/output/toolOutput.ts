/** Decides what an AI agent sees of a record. */

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../../api/errors/errors';
import { textOf } from '../../api/json';
import type { ItemParameters, ItemTask } from '../types';
import { requireChoices } from '../validation';
import { withoutFeedAddresses } from './feedAddresses';

/** Shows a parameter in tools only, except for deletions, which return no record. */
const forTools = { show: { '@tool': [true] }, hide: { operation: ['delete'] } };

const MODES = ['raw', 'selected', 'simplified'];

/** The parameters that select what an AI agent sees. Only the tool shows them, not the node. */
export const toolOutputProperties: INodeProperties[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'simplified',
		description:
			'How much of each record the AI agent sees. Anyone who has a private feed address can listen to that feed.',
		displayOptions: forTools,
		options: [
			{
				name: 'Raw',
				value: 'raw',
				description: 'All fields, including private feed addresses',
			},
			{
				name: 'Selected Fields',
				value: 'selected',
				description: 'Only the fields that you list',
			},
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The most useful fields, without private feed addresses',
			},
		],
	},
	{
		displayName: 'Fields',
		name: 'outputFields',
		type: 'string',
		placeholder: 'e.g. email, state, plan_name',
		default: '',
		description:
			"Supercast's names of the fields to return, separated by commas. Add feed_url to include private feed addresses.",
		displayOptions: { show: { ...forTools.show, output: ['selected'] }, hide: forTools.hide },
	},
];

/**
 * Reads what an agent may see of each record.
 *
 * @throws InputError if no field is selected.
 */
export function toolOutput(item: ItemParameters): {
	/** Whether the records are simplified first. */
	isSimplified: boolean;
	shape: (record: IDataObject) => IDataObject;
} {
	const mode = item.parameter('output', 'simplified');
	const [known] = requireChoices([mode], MODES, 'Output');
	if (known === 'raw') return { isSimplified: false, shape: (record) => record };
	if (known === 'simplified') return { isSimplified: true, shape: withoutFeedAddresses };
	const typed = textOf(item.parameter('outputFields', ''));
	const names = typed.split(',').map((name) => name.trim());
	const fields = names.filter((name) => name !== '');
	if (fields.length === 0) {
		throw new InputError("'Fields' is empty", "List the fields to return, such as 'email, state'.");
	}
	return { isSimplified: false, shape: (record) => picked(record, fields) };
}

/** Wraps a task, so that its output contains only what an agent may see. */
export function taskForTool(task: ItemTask, item: ItemParameters): ItemTask {
	const { shape } = toolOutput(item);
	return {
		...task,
		run: async (client, addHint) => (await task.run(client, addHint)).map(shape),
	};
}

function picked(record: IDataObject, fields: string[]): IDataObject {
	const present = fields.filter((name) => Object.hasOwn(record, name));
	return Object.fromEntries(present.map((name) => [name, record[name]]));
}
