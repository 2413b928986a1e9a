import { createHmac } from 'node:crypto';

import type { Senders } from '../../simulators/memberships';
import type { MemberList } from '../../simulators/memberships/damages';
import { RESTRICTED_KEY } from '../../simulators/memberships/stripe';

/** A response. */
export interface Answer {
	status: number;
	headers: Headers;
	text: string;
	/** The body as JSON, or undefined if it is none. */
	json: unknown;
}

/** Sends a request to a stand-in, without the network. A query is encoded. */
export async function askSender(
	{ app }: Pick<Senders, 'app'>,
	path: string,
	{ query = {}, headers = {}, body }: Asked = {},
): Promise<Answer> {
	const text = new URLSearchParams(query).toString();
	const response = await app.inject({
		url: `${path}${text === '' ? '' : `?${text}`}`,
		method: body === undefined ? 'GET' : 'POST',
		headers,
		payload: body,
	});
	const sent = response.body;
	const sentHeaders = new Headers(
		Object.entries(response.headers).map(
			([name, value]) => [name, String(value)] as [string, string],
		),
	);
	return {
		status: response.statusCode,
		headers: sentHeaders,
		text: sent,
		json: parsed(sent),
	};
}

interface Asked {
	query?: Record<string, string>;
	headers?: Record<string, string>;
	body?: object;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Reads part of a JSON value, such as `meta.pagination.next`. */
export function at(value: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>(
			(found, name) => (found as Record<string, unknown> | undefined)?.[name],
			value,
		);
}

/** A token for Ghost, made `age` seconds ago, and valid for as many as `lasts` says. */
export function ghostToken(
	{ id, secret }: { id: string; secret: string },
	{ age = 0, lasts = 300, aud = '/v2/admin/' } = {},
): string {
	const iat = Math.floor(Date.now() / 1000) - age;
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const signed = `${part({ alg: 'HS256', typ: 'JWT', kid: id })}.${part({ iat, exp: iat + lasts, aud })}`;
	const hmac = createHmac('sha256', Buffer.from(secret, 'hex'));
	return `Ghost ${signed}.${hmac.update(signed).digest('base64url')}`;
}

/** How to read a list, as one of its pages leads to the next. */
interface Reader {
	/** Asks for a page, given the response before it and its number from 1. */
	ask: (senders: Senders, before: unknown, number: number) => Promise<Answer>;
	/** The records of a response, or undefined if it has none. */
	records: (answer: Answer) => unknown[] | undefined;
	/** The email of a record. */
	email: (record: unknown) => unknown;
	/** Whether another page follows. */
	goesOn: (answer: Answer) => boolean;
	/** How many records the system says that the list has. */
	total?: (answer: Answer) => number | null | undefined;
	/** Adds a member. */
	join: (senders: Senders, email: string) => unknown;
}

const listIn = (path: string) => (answer: Answer) => {
	const found = at(answer.json, path);
	return Array.isArray(found) ? found : undefined;
};
const numberIn = (path: string) => (answer: Answer) => at(answer.json, path) as number | undefined;
const header = (answer: Answer, name: string) => {
	const value = answer.headers.get(name);
	return value === null ? undefined : Number(value);
};

/** The records in a page. */
export const PER_PAGE = 4;
const size = String(PER_PAGE);

/** The readers of all lists. */
export const readers: Record<MemberList, Reader> = {
	stripe: {
		ask: async (senders, before) => {
			const last = at((at(before, 'data') as unknown[] | undefined)?.at(-1), 'id');
			const cursor = typeof last === 'string' ? { starting_after: last } : undefined;
			return await askSender(senders, '/v1/subscriptions', {
				query: { limit: size, 'expand[]': 'data.customer', ...cursor },
				headers: { authorization: `Bearer ${RESTRICTED_KEY}` },
			});
		},
		records: listIn('data'),
		email: (record) => at(record, 'customer.email'),
		goesOn: ({ json }) => at(json, 'has_more') === true,
		join: ({ stripe }, email) => stripe.join(email, 'Ann Bell'),
	},
	patreon: {
		ask: async (senders, before) => {
			const next = at(before, 'meta.pagination.cursors.next');
			const cursor = typeof next === 'string' ? { 'page[cursor]': next } : undefined;
			return await askSender(senders, '/api/oauth2/v2/campaigns/77/members', {
				query: { include: 'user', 'fields[member]': 'email', 'page[count]': size, ...cursor },
				headers: { authorization: 'Bearer token-0' },
			});
		},
		records: listIn('data'),
		email: (record) => at(record, 'attributes.email'),
		goesOn: ({ json }) => typeof at(json, 'meta.pagination.cursors.next') === 'string',
		total: numberIn('meta.pagination.total'),
		join: ({ patreon }, email) => patreon.people.join(email),
	},
	memberful: {
		ask: async (senders, before) => {
			const next = at(before, 'data.members.pageInfo.endCursor') as string | undefined;
			const query = `{ members(first: ${size}, after: "${next ?? ''}") { totalCount edges { node { email } } pageInfo { hasNextPage endCursor } } }`;
			return await askSender(senders, '/api/graphql', {
				body: { query },
				headers: { authorization: `Bearer ${senders.memberful.key}` },
			});
		},
		records: listIn('data.members.edges'),
		email: (record) => at(record, 'node.email'),
		goesOn: ({ json }) => at(json, 'data.members.pageInfo.hasNextPage') === true,
		total: numberIn('data.members.totalCount'),
		join: ({ memberful }, email) => memberful.people.join(email),
	},
	ghost: {
		ask: async (senders, _, number) =>
			await askSender(senders, '/ghost/api/admin/members/', {
				query: { limit: size, page: String(number), order: 'id asc' },
				headers: { authorization: ghostToken(senders.ghost.key) },
			}),
		records: listIn('members'),
		email: (record) => at(record, 'email'),
		goesOn: ({ json }) => typeof at(json, 'meta.pagination.next') === 'number',
		total: numberIn('meta.pagination.total'),
		join: ({ ghost }, email) => ghost.people.join(email),
	},
	woocommerce: {
		ask: async (senders, _, number) =>
			await askSender(senders, '/wp-json/wc/v3/subscriptions', {
				query: { per_page: size, page: String(number), orderby: 'id', order: 'asc' },
				headers: { authorization: basic(senders.woocommerce.key) },
			}),
		records: ({ json }) => (Array.isArray(json) ? json : undefined),
		email: (record) => at(record, 'billing.email'),
		// The number of pages is in a header, which some servers drop.
		goesOn: ({ json }) => Array.isArray(json) && json.length === PER_PAGE,
		total: (answer) => header(answer, 'x-wp-total'),
		join: ({ woocommerce }, email) => woocommerce.people.join(email),
	},
	list: {
		ask: async (senders) => await askSender(senders, '/members.csv'),
		records: ({ text }) =>
			text.startsWith('email,') ? text.trim().split('\n').slice(1) : undefined,
		email: (record) => String(record).split(',')[0],
		goesOn: () => false,
		join: ({ list }, email) => list.people.join(email),
	},
};

/** The Authorization header of WooCommerce. */
export function basic({ key, secret }: { key: string; secret: string }): string {
	return `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
}
