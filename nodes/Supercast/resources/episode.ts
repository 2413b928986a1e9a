import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { createOperation } from '../operations/crud';
import { deleteOperation } from '../operations/crud';
import { getOperation } from '../operations/crud';
import { getManyOperation } from '../operations/getMany';
import { textOf } from '../api/json';
import { runtime } from '../api/runtime';
import { idIdentifier } from '../operations/locators';
import { idLocator } from '../operations/locators';
import { sinceFilter, type ListFilter } from '../operations/lists';
import type { NamedRecordKind } from '../operations/kinds';
import { updateOperation } from '../operations/crud';
import { requireChoices, requireText } from '../operations/validation';
import type { Resource } from './types';

/** The episodes of the podcast. */
export const episodes: NamedRecordKind = {
	singular: 'episode',
	plural: 'episodes',
	path: 'episodes',
	wrapper: 'episode',
	locator: idLocator({
		displayName: 'Episode',
		name: 'episode',
		description: 'The episode to work with. Choose from the list, or enter an ID.',
		searchListMethod: 'searchEpisodes',
	}),
	identify: (item) => idIdentifier(item.locator('episode'), 'Episode'),
};

const title: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	placeholder: 'e.g. Behind the scenes of season 2',
	required: true,
	default: '',
	description: 'The title of the episode',
};

/** Fields to set or change (as published integrations send them). */
const fields: INodeProperties[] = [
	{
		displayName: 'Explicit',
		name: 'explicit',
		type: 'boolean',
		default: false,
		description: 'Whether podcast players mark the episode as explicit',
	},
	{
		displayName: 'Language',
		name: 'language',
		type: 'string',
		placeholder: 'e.g. en',
		default: '',
		description: 'The language of the episode, as a two-letter code (ISO 639-1)',
	},
	{
		displayName: 'Published At',
		name: 'publishedAt',
		type: 'dateTime',
		default: '',
		description: "When the episode is published, in the workflow's time zone",
	},
	{
		displayName: 'Summary',
		name: 'summary',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		description: 'What the episode is about',
	},
];

/** An episode counts as published once its publication date has passed. */
const byStatus: ListFilter = {
	property: {
		displayName: 'Status',
		name: 'status',
		type: 'options',
		default: 'published',
		description: 'Return only episodes with this status',
		options: [
			{
				name: 'Draft',
				value: 'draft',
				description: 'Not published yet, including scheduled episodes',
			},
			{ name: 'Published', value: 'published', description: 'The publication date has passed' },
		],
	},
	read: (typed, label) => {
		const [status] = requireChoices([typed], ['draft', 'published'], label);
		const now = runtime.clock.date();
		return (record) => Date.parse(textOf(record.published_at)) <= now === (status === 'published');
	},
};

const episodeFilters: ListFilter[] = [
	sinceFilter(
		{
			displayName: 'Published After',
			name: 'publishedAfter',
			type: 'dateTime',
			default: '',
			description:
				"Return only episodes published at or after this time, in the workflow's time zone",
		},
		'published_at',
	),
	byStatus,
];

/** Supercast takes `yes` or `no` for explicit (as published integrations send it). */
function normalize(fields: IDataObject): IDataObject {
	const { explicit } = fields;
	return typeof explicit === 'boolean' ? { ...fields, explicit: explicit ? 'yes' : 'no' } : fields;
}

const example = '{ "season": 2 }';

/** The episodes of the podcast. */
export const episode: Resource<'episode'> = {
	name: 'Episode',
	description: 'One episode of the podcast',
	defaultOperation: 'getAll',
	operations: {
		create: createOperation(episodes, {
			action: 'Create episode',
			description:
				'Add an episode. You must upload its audio file in Supercast before it can be published.',
			required: { property: title, read: requireText },
			fields,
			example,
			normalize,
		}),
		delete: deleteOperation(episodes, {
			action: 'Delete episode',
			description: 'Delete an episode permanently and remove it from every feed',
			notice: 'This cannot be undone. The episode disappears from every feed.',
		}),
		get: getOperation(episodes, { action: 'Get episode', description: 'Look up one episode' }),
		getAll: getManyOperation(episodes, {
			action: 'Get many episodes',
			description:
				"List the channel's episodes. With filters, the node reads the list until it has found enough matches.",
			filters: episodeFilters,
		}),
		update: updateOperation(episodes, {
			action: 'Update episode',
			description: "Change an episode's title, summary, date or other fields",
			fields: [{ ...title, required: false }, ...fields],
			example,
			clearable: ['language', 'summary'],
			normalize,
		}),
	},
};
