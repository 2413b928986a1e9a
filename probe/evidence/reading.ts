import { randomUUID } from 'node:crypto';

import type { Answer, Service } from '../service';
import { identityOf, listOf, recordOf, type List, type Row } from '../shapes';
import { otherHost } from './hosts';

/** The lists of the API, with the name of one of their records. */
export const LISTS = {
	subscribers: 'subscriber',
	episodes: 'episode',
	creators: 'creator',
	roles: 'role',
	invites: 'invite',
	questions: 'question',
	usage_alerts: 'usage_alert',
} as const;
export type ListName = keyof typeof LISTS;

/** How a subscriber can be found. A missing value means that it could not be tried. */
export interface Lookups {
	byEmail?: Answer;
	byUuid?: Answer;
	/** By the same email in other capitals. */
	inCapitals?: Answer;
	byCustomerId?: Answer;
	feedByUuid?: Answer;
	feedByEmail?: Answer;
	/** What should be found. */
	identity?: string;
}

/** What reading shows. None of these requests changes anything. */
export interface ProbedReading {
	withoutToken: Answer;
	channel: Answer;
	/** The channel under the other form of the path, with or without `/api`. */
	otherPath?: Answer;
	/** The channel on the other host. Undefined if there is none to try. */
	otherHost?: Answer;
	tokenInfo: Answer;
	answers: Record<ListName, Answer>;
	lists: Partial<Record<ListName, List>>;
	pages: Pages;
	lookups: Lookups;
	episode?: Answer;
	missingRecord: Answer;
	wrongAddress: Answer;
	/** Headers of the 429 responses so far. */
	refusals: Array<Record<string, string>>;
}

/** The list of subscribers, read with several page sizes. */
export interface Pages {
	/** A page of 1,000, and the one after it. */
	large: Answer;
	afterLarge: Answer;
	/** A page of 100, if 1,000 was refused. */
	hundred?: Answer;
	/** The first and the second page of two. */
	first: Answer;
	second: Answer;
	/** The last page of two by the total, and the one after it. */
	last?: { number: number; total: number; answer: Answer; after: Answer };
	pastEnd: Answer;
}

/** Finds out everything that is possible without a change. */
export async function read(service: Service): Promise<ProbedReading> {
	const withoutToken = await service.ask('/channel', { withoutToken: true });
	const channel = await service.ask('/channel');
	const { origin, pathname } = new URL(service.baseUrl);
	const other = { '/api/v1': '/v1', '/v1': '/api/v1' }[pathname];
	const base = otherHost(service.baseUrl, recordOf(channel, 'channel')?.subdomain);
	const elsewhere = async (at: string | undefined): Promise<Answer | undefined> =>
		at === undefined ? undefined : await service.ask('/channel', { base: at });
	const { answers, lists } = await readLists(service);
	const episodeId = lists.episodes?.rows[0]?.id;
	return {
		withoutToken,
		channel,
		answers,
		lists,
		otherPath: await elsewhere(other && `${origin}${other}`),
		otherHost: await elsewhere(base),
		tokenInfo: await service.ask('/oauth/token/info', { base: origin }),
		pages: await readPages(service),
		missingRecord: await service.ask(`/subscribers/${randomUUID()}`),
		wrongAddress: await service.ask('/there-is-no-such-address'),
		lookups: await lookUp(service, lists.subscribers?.rows ?? []),
		episode: isName(episodeId) ? await service.ask(`/episodes/${encode(episodeId)}`) : undefined,
		refusals: [...service.refusals],
	};
}

async function readLists(service: Service): Promise<Pick<ProbedReading, 'answers' | 'lists'>> {
	const answers: Partial<Record<ListName, Answer>> = {};
	const lists: Partial<Record<ListName, List>> = {};
	for (const name of Object.keys(LISTS) as ListName[]) {
		const answer = await service.ask(`/${name}`);
		answers[name] = answer;
		const list = answer.status === 200 ? listOf(answer, LISTS[name]) : undefined;
		if (list !== undefined) lists[name] = list;
	}
	return { answers: answers as ProbedReading['answers'], lists };
}

async function readPages(service: Service): Promise<Pages> {
	const page = async (number: number, perPage = 2): Promise<Answer> =>
		await service.ask(`/subscribers?page=${number}&per_page=${perPage}`);
	const large = await page(1, 1_000);
	const first = await page(1);
	const total = Number(first.headers['x-total'] ?? NaN);
	const size = listOf(first, 'subscriber')?.rows.length ?? 0;
	const number = Math.max(1, Math.ceil(total / size));
	return {
		large,
		afterLarge: await page(2, 1_000),
		hundred: large.status === 200 ? undefined : await page(1, 100),
		first,
		second: await page(2),
		last: Number.isSafeInteger(number)
			? { number, total, answer: await page(number), after: await page(number + 1) }
			: undefined,
		pastEnd: await page(1_000_000),
	};
}

async function lookUp(service: Service, rows: readonly Row[]): Promise<Lookups> {
	const one: Row = rows.find(({ email, uuid }) => isName(email) && isName(uuid)) ?? rows[0] ?? {};
	const ownId = rows.map(({ customer_id: id }) => id).find(isName);
	const find = async (name: unknown, path = 'subscribers'): Promise<Answer | undefined> =>
		isName(name) ? await service.ask(`/${path}/${encode(name)}`) : undefined;
	return {
		identity: rows.length === 0 ? undefined : identityOf(one),
		byEmail: await find(one.email),
		byUuid: await find(one.uuid),
		inCapitals: isName(one.email) ? await find(otherCapitals(String(one.email))) : undefined,
		byCustomerId: await find(ownId),
		feedByUuid: await find(one.uuid, 'feeds'),
		feedByEmail: await find(one.email, 'feeds'),
	};
}

/** The same address with upper and lower case swapped. */
export function otherCapitals(email: string): string {
	const capitals = email.toUpperCase();
	return capitals === email ? email.toLowerCase() : capitals;
}

const isName = (value: unknown): value is string | number =>
	typeof value === 'number' || (typeof value === 'string' && value !== '');

const encode = (value: unknown): string => encodeURIComponent(String(value));
