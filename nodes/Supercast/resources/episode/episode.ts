import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { requireDateTime } from '../../operations/bodyFields';
import type { NamedRecordKind } from '../../operations/recordKind';
import { idLocator } from '../../operations/properties';
import { idIdentifier } from '../../operations/validation';
import type { OperationItem } from '../../operations/types';

/** What the podcast is made of. */
export const episodes: NamedRecordKind = {
	singular: 'episode',
	plural: 'episodes',
	path: 'episodes',
	wrapper: 'episode',
	locator: idLocator({
		displayName: 'Episode',
		name: 'episode',
		description: 'The episode to work with, chosen from the list or by ID',
		searchListMethod: 'searchEpisodes',
	}),
	identify: (item) => idIdentifier(item.locator('episode'), 'Episode'),
};

/** The parameter at the top of Create. */
export const titleProperty: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	placeholder: 'e.g. Behind the scenes of season 2',
	required: true,
	default: '',
	description: 'The title of the episode',
};

/** Fields that can be given or changed (as published integrations send them). */
export const episodeFields: INodeProperties[] = [
	{
		displayName: 'Explicit',
		name: 'explicit',
		type: 'options',
		default: 'no',
		description: 'Whether podcast players mark the episode as explicit',
		options: [
			{ name: 'No', value: 'no' },
			{ name: 'Yes', value: 'yes' },
		],
	},
	{
		displayName: 'Language',
		name: 'language',
		type: 'string',
		placeholder: 'e.g. en',
		default: '',
		description: 'The language of the episode as a code of two letters (ISO 639-1)',
	},
	{
		displayName: 'Published At',
		name: 'publishedAt',
		type: 'dateTime',
		default: '',
		description: 'When the episode appears. Read in the time zone of the workflow.',
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

/** Brings the fields into the service's form: dates as ISO 8601, explicit as `yes` or `no`. */
export function prepareEpisode(fields: IDataObject, item: OperationItem): IDataObject {
	const { published_at: publishedAt, explicit } = fields;
	return {
		...fields,
		...(publishedAt === undefined
			? {}
			: { published_at: requireDateTime(publishedAt, 'Published At', item) }),
		...(typeof explicit === 'boolean' ? { explicit: explicit ? 'yes' : 'no' } : {}),
	};
}
