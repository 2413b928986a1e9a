import { createOperation } from '../../operations/create';
import { requireText } from '../../operations/validation';
import { questions } from './question';
import { textOf } from '../../api/json';

/** Adds a question. */
export const create = createOperation(questions, {
	action: 'Create a question',
	description: 'Add a question to the channel',
	required: [
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			placeholder: 'e.g. How did you start?',
			required: true,
			default: '',
			description: 'The question in one line',
		},
	],
	readRequired: (item) => ({ title: requireText(item.parameter('title'), 'Title') }),
	fields: [
		{
			displayName: 'Body',
			name: 'body',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			description: 'The question at length',
		},
	],
	nameOf: ({ title }) => textOf(title),
});
