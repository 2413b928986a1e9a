import { createOperation } from '../operations/crud';
import { getManyOperation } from '../operations/getMany';
import { recordKind } from '../operations/kinds';
import { longTextField, textField } from '../operations/properties';
import type { Resource } from '../operations/types';

const kind = recordKind('Question');

/** Questions from subscribers. */
export const question = {
	kind,
	description: 'A question from a subscriber',
	operations: {
		create: createOperation(
			kind,
			'Add a question to the channel. Supercast does not document this operation, so it may respond that the address does not exist.',
			{
				main: textField('title', 'Title', {
					example: 'How did you start?',
					description: 'The question in one line',
				}),
				others: [longTextField('body', 'Body', { description: 'The full question' })],
				example: '{ "episode_id": 1234 }',
			},
		),
		getAll: getManyOperation(kind, "List the channel's questions"),
	},
} satisfies Resource;
