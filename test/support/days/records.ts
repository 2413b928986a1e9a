import type { IDataObject } from 'n8n-workflow';

import { withAnswers, instead, withRecords as edit, type PassedRequest, type Twist } from './proxy';

const isLookUp =
	(name: RegExp) =>
	({ method, path }: PassedRequest): boolean =>
		method === 'GET' && path[0] === 'subscribers' && name.test(path[1] ?? '');

const missing = (): IDataObject => ({ message: 'Not found' });

const withTimes = (inWords: (time: number) => number | string): Twist =>
	edit((row) => ({
		...row,
		...('created_at' in row ? { created_at: inWords(Date.parse(String(row.created_at))) } : {}),
		...('updated_at' in row ? { updated_at: inWords(Date.parse(String(row.updated_at))) } : {}),
	}));

const withStates = (inWords: (state: string) => string): Twist =>
	edit((row) => (row.state === undefined ? row : { ...row, state: inWords(String(row.state)) }));

const closedAs = (word: string): Twist =>
	withStates((state) => (state === 'deactivated' ? word : state));

/** Services whose records and look-ups differ. */
export const servicesWithRecords: Array<[string, Twist]> = [
	[
		'records are under "result"',
		withAnswers((answer, { path }) =>
			path.length === 2 && answer.status < 300
				? { ...answer, body: { result: answer.body } }
				: answer,
		),
	],
	['an open feed is "live"', withStates((state) => (state === 'available' ? 'live' : state))],
	['states have capitals', withStates((state) => state[0]?.toUpperCase() + state.slice(1))],
	['a closed feed is "inactive"', closedAs('inactive')],
	['a closed feed is "suspended"', closedAs('suspended')],
	['a closed feed is "cancelled"', closedAs('cancelled')],
	['updated_at moves on reads', edit((row) => ({ ...row, updated_at: new Date().toISOString() }))],
	['times are in milliseconds', withTimes((time) => time)],
	['times are in words', withTimes(() => '1 January')],
	['times have no zone', withTimes((time) => new Date(time).toISOString().replace('Z', ''))],
	[
		'times have no zone, and are local times in California',
		withTimes((time) => new Date(time - 8 * 3_600_000).toISOString().replace('Z', '')),
	],
	[
		'customer IDs have capitals',
		edit((row) => ({
			...row,
			customer_id: row.customer_id && String(row.customer_id).toUpperCase(),
		})),
	],
	['customer IDs are dropped', edit((row) => ({ ...row, customer_id: null }))],
	['emails have capitals', edit((row) => ({ ...row, email: String(row.email).toUpperCase() }))],
	['everyone has a plan', edit((row) => ({ ...row, plan_id: 3, plan_name: 'Gold' }))],
	['nobody is found by email', instead(isLookUp(/@/), 404, missing)],
	['nobody is found by uuid', instead(isLookUp(/^[0-9a-f-]{36}$/), 404, missing)],
	[
		'a look-up by email finds the first subscriber',
		instead(isLookUp(/@/), 200, (_, sandbox) => ({ ...sandbox.state.subscribers[9] })),
	],
	[
		'a missing subscriber is null with the status 200',
		withAnswers((answer, { path }) =>
			answer.status === 404 && path.length === 2 ? { ...answer, status: 200, body: null } : answer,
		),
	],
	[
		'a missing subscriber gets the status 403',
		withAnswers((answer) => (answer.status === 404 ? { ...answer, status: 403 } : answer)),
	],
	[
		'a missing subscriber gets the status 410',
		withAnswers((answer) => (answer.status === 404 ? { ...answer, status: 410 } : answer)),
	],
];
