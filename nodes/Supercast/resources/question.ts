import { crudOperations } from '../operations/crud';
import { recordKind } from '../operations/kinds';
import { longTextField, textField } from '../operations/properties';
import type { Resource } from './resource';

const kind = recordKind('Question');

const fields = {
	main: textField('title', 'Title', {
		example: 'How did you start?',
		description: 'The question in one line',
	}),
	others: [
		longTextField('body', 'Body', {
			example: 'Who was your first guest?',
			description: 'The full question',
		}),
	],
	wireNames: { title: 'title', body: 'body' },
	example: '{ "episode_id": 1234 }',
};

const descriptions = {
	create:
		'Add a question to the channel. Supercast does not document this request, and may refuse it.',
	getAll: "List the channel's questions",
};

export const question = {
	kind,
	description: 'A question from a subscriber',
	operations: crudOperations(kind, descriptions, { fields }),
} satisfies Resource;
