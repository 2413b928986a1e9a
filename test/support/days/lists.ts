import type { IDataObject } from 'n8n-workflow';

import {
	withAnswers,
	withRecords,
	withRequests,
	type PassedAnswer,
	type PassedRequest,
	type Twist,
} from './proxy';

const isList = ({ method, path }: PassedRequest): boolean => method === 'GET' && path.length === 1;
const isPeople = (asked: PassedRequest): boolean =>
	isList(asked) && asked.path[0] === 'subscribers';

function withHeader(name: string, value: string): Twist {
	return withAnswers((answer, asked) =>
		isList(asked) && name in answer.headers
			? { ...answer, headers: { ...answer.headers, [name]: value } }
			: answer,
	);
}

/** Leaves people out of the list. */
const showing = (shows: (record: IDataObject, index: number) => boolean): Twist =>
	withAnswers((answer, asked) => {
		if (!isPeople(asked) || !Array.isArray(answer.body)) return answer;
		const body = (answer.body as IDataObject[]).filter(shows);
		return { ...answer, headers: withoutTotal(answer), body };
	});

function withoutTotal({ headers }: PassedAnswer): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !/total/.test(name)));
}

const ofPeople = (change: (record: IDataObject) => IDataObject): Twist =>
	withRecords(change, isPeople);

function renamed(parameter: string): Twist {
	return withRequests((asked) => {
		const query = new URLSearchParams(asked.query);
		query.delete(parameter);
		return { ...asked, query };
	});
}

/** Services whose lists differ. */
export const servicesWithLists: Array<[string, Twist]> = [
	[
		'pages are counted from 0',
		withRequests((asked) => {
			const query = new URLSearchParams(asked.query);
			const page = query.get('page');
			if (page !== null) query.set('page', String(Number(page) + 1));
			return { ...asked, query };
		}),
	],
	['the page number has another name', renamed('page')],
	['the page size has another name', renamed('per_page')],
	['X-Total counts the page', withHeader('x-total', '5')],
	['X-Total counts people who are not listed', withHeader('x-total', '57')],
	['X-Page is always 1', withHeader('x-page', '1')],
	[
		'a list is under "items"',
		withAnswers((answer, asked) =>
			isList(asked) && Array.isArray(answer.body)
				? { ...answer, body: { items: answer.body } }
				: answer,
		),
	],
	['the list leaves out closed subscribers', showing(({ state }) => state === 'available')],
	['the list ends after 25 people', showing((_, index) => index < 25)],
	['the list shows no states', ofPeople((row) => ({ ...row, state: undefined }))],
	['the list shows no customer IDs', ofPeople((row) => ({ ...row, customer_id: undefined }))],
	['the list shows empty customer IDs', ofPeople((row) => ({ ...row, customer_id: null }))],
	['the list shows no uuids', ofPeople((row) => ({ ...row, uuid: undefined }))],
	['the list shows no emails', ofPeople((row) => ({ ...row, email: undefined }))],
	[
		'the list masks emails',
		ofPeople((row) => ({ ...row, email: String(row.email).replace(/^(.).*@/, '$1***@') })),
	],
	[
		'the list shows no times',
		ofPeople((row) => ({ ...row, created_at: undefined, updated_at: undefined })),
	],
];
