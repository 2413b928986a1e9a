import type { MembershipSystem } from '../system';
import { ListMockServer } from './server';

export * from './server';

/** Any system that exports its members as a CSV file. Its workflow has tests of its columns. */
export const listSystem: MembershipSystem<ListMockServer> = {
	title: 'A CSV file',
	file: 'any-list.json',
	create: () => new ListMockServer(),
	members: {
		of: ({ people }) => people,
		customerId: ({ id }) => `list-${id}`,
		left: 'left',
	},
	list: {
		path: '/members.csv',
		request: () => ({ path: '/members.csv' }),
		records: ({ text }) =>
			text.startsWith('email,') ? text.trim().split('\n').slice(1) : undefined,
		email: (record) => String(record).split(',')[0],
		goesOn: () => false,
		empty: 'email,id,firstName,lastName,status,until\n',
		isOnePage: true,
		// Half of a file is a file.
		leaves: { cut: 'fewer' },
		// Nothing says how many rows a file should have.
		unknowable: ['recordLeftOut', 'errorsWithData', 'cut'],
	},
	workflow: { prefix: 'list-', labels: ['File', 'Share', 'Publish to web', 'CSV'] },
};
