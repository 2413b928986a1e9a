import { createOperation } from '../operations/crud';
import { getManyOperation } from '../operations/getMany';
import type { RecordKind } from '../operations/kinds';
import { requireText } from '../operations/validation';
import type { Resource } from './types';

/** Questions from subscribers. */
export const questions: RecordKind = {
	singular: 'question',
	plural: 'questions',
	path: 'questions',
	wrapper: 'question',
};

/** Questions from subscribers. */
export const question: Resource<'question'> = {
	name: 'Question',
	description: 'A question from a subscriber',
	defaultOperation: 'getAll',
	operations: {
		create: createOperation(questions, {
			action: 'Create question',
			description:
				'Add a question to the channel. Supercast does not document this operation, so it may respond that the address does not exist.',
			required: {
				property: {
					displayName: 'Title',
					name: 'title',
					type: 'string',
					placeholder: 'e.g. How did you start?',
					required: true,
					default: '',
					description: 'The question in one line',
				},
				read: requireText,
			},
			example: '{ "episode_id": 1234 }',
			fields: [
				{
					displayName: 'Body',
					name: 'body',
					type: 'string',
					typeOptions: { rows: 4 },
					default: '',
					description: 'The full question',
				},
			],
		}),
		getAll: getManyOperation(questions, {
			action: 'Get many questions',
			description: "List the channel's questions",
		}),
	},
};
