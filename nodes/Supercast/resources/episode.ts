import { runtime } from '../api/clock';
import { timeOf } from '../api/json';
import { crudOperations } from '../operations/crud';
import { recordKind } from '../operations/kinds';
import { sinceFilter, type ListFilter } from '../operations/filters';
import {
	choice,
	choiceField,
	dateField,
	longTextField,
	switchField,
	textField,
} from '../operations/properties';
import type { Resource } from './resource';

const kind = recordKind('Episode');

/** The fields that published integrations send. */
const fields = {
	main: textField('title', 'Title', {
		example: 'Behind the scenes of season 2',
		description: 'The title of the episode',
	}),
	others: [
		switchField('explicit', 'Explicit', {
			description: 'Whether podcast players mark the episode as explicit',
		}),
		textField('language', 'Language', {
			example: 'en',
			description: 'The language of the episode, as a two-letter code (ISO 639-1)',
		}),
		dateField('publishedAt', 'Published At', {
			description: "The time when the episode is published, in the workflow's time zone",
		}),
		longTextField('summary', 'Summary', {
			example: 'Ann talks about her new book',
			description: 'What the episode is about',
		}),
	],
	wireNames: {
		title: 'title',
		explicit: 'explicit',
		language: 'language',
		publishedAt: 'published_at',
		summary: 'summary',
	},
	example: '{ "season": 2 }',
	// Supercast expects `yes` or `no`, which published integrations send.
	convert: { explicit: (isExplicit: unknown) => (isExplicit ? 'yes' : 'no') },
};

/** An episode counts as published once its publication date has passed. */
const byStatus: ListFilter = {
	property: choiceField('status', 'Status', {
		default: 'published',
		description: 'Return only episodes with this status',
		options: [
			choice('draft', 'Draft', 'Not published yet, including scheduled episodes'),
			choice('published', 'Published', 'The publication date has passed'),
		],
	}),
	matches: (record, status) => {
		const isPublished = timeOf(record.published_at) <= runtime.clock.date();
		return isPublished === (status === 'published');
	},
};

const descriptions = {
	create: 'Add an episode. Before you publish the episode, upload its audio file in Supercast.',
	delete: 'Delete an episode permanently',
	get: 'Look up one episode',
	getAll: "List the channel's episodes, with filters",
	update: "Change an episode's title, summary, date or other fields",
};

export const episode = {
	kind,
	description: 'One episode of the podcast',
	operations: crudOperations(kind, descriptions, {
		fields,
		filters: [sinceFilter('Published', 'episodes published or scheduled'), byStatus],
		notice: 'This cannot be undone.',
	}),
} satisfies Resource;
