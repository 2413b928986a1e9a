import type { Answer } from '../answer';
import { randomUUID } from 'node:crypto';

import type { Service } from '../service';
import { identityOf, listOf, recordOf, type List, type Fields } from '../shapes';

/** The lists of the API, with the singular name of their records. */
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

/** How a subscriber can be found. A value is missing if the probe could not try it. */
export interface Lookups {
	byEmail?: Answer;
	byUuid?: Answer;
	/** The same look-up again. */
	byUuidAgain?: Answer;
	inCapitals?: Answer;
	feedByUuid?: Answer;
	feedByEmail?: Answer;
	identity?: string;
}

/** What the probe learned from read requests, which change nothing. */
export interface ProbedReading {
	withoutToken: Answer;
	channel: Answer;
	/** The channel at the other form of the path, with or without `/api`. */
	otherPath?: Answer;
	/** The channel on the other host. Undefined if there is no other host to try. */
	otherHost?: Answer;
	answers: Record<ListName, Answer>;
	lists: Partial<Record<ListName, List>>;
	pages: Pages;
	lookups: Lookups;
	episode?: Answer;
	missingRecord: Answer;
	wrongAddress: Answer;
	refusals: Array<Record<string, string>>;
}

/** The list of subscribers, read with several page sizes. */
export interface Pages {
	hundred: Answer;
	afterHundred: Answer;
	/** The first and second pages, each with two records. */
	first: Answer;
	second: Answer;
	/** The number of the first page. It should be 1. */
	startsAt: 0 | 1;
	/** The last page according to the total, and the page after it. */
	last?: { number: number; total: number; answer: Answer; after: Answer };
	pastEnd: Answer;
}

/** Learns everything that is possible without changing anything. */
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
	const first = await page(1);
	const startsAt = comesBefore(await page(0), first) ? 0 : 1;
	const total = Number(first.headers['x-total'] ?? NaN);
	const size = listOf(first, 'subscriber')?.rows.length ?? 0;
	const number = Math.max(1, Math.ceil(total / size));
	return {
		hundred: await page(1, 100),
		afterHundred: await page(2, 100),
		first,
		second: await page(2),
		startsAt,
		last: Number.isSafeInteger(number)
			? {
					...{ number, total },
					answer: await page(number - 1 + startsAt),
					after: await page(number + startsAt),
				}
			: undefined,
		pastEnd: await page(1_000_000),
	};
}

/** Whether a page has records, and none of them is on the page that should be the first. */
function comesBefore(zero: Answer, first: Answer): boolean {
	const before = namesOn(zero);
	const names = namesOn(first);
	return before.length > 0 && !before.some((name) => names.includes(name));
}

function namesOn(page: Answer): string[] {
	const list = page.status === 200 ? listOf(page, 'subscriber') : undefined;
	return (list?.rows ?? []).map(identityOf);
}

async function lookUp(service: Service, rows: readonly Fields[]): Promise<Lookups> {
	const one: Fields =
		rows.find(({ email, uuid }) => isName(email) && isName(uuid)) ?? rows[0] ?? {};
	const find = async (name: unknown, path = 'subscribers'): Promise<Answer | undefined> =>
		isName(name) ? await service.ask(`/${path}/${encode(name)}`) : undefined;
	return {
		identity: rows.length === 0 ? undefined : identityOf(one),
		byEmail: await find(one.email),
		byUuid: await find(one.uuid),
		byUuidAgain: await find(one.uuid),
		inCapitals: isName(one.email) ? await find(otherCapitals(String(one.email))) : undefined,
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

const SHARED = 'supercast.tech';

/** Which of Supercast's hosts a base URL points to. */
export function hostKind(baseUrl: string): 'channel' | 'other' | 'shared' {
	const { hostname } = new URL(baseUrl);
	if (hostname === SHARED) return 'shared';
	return hostname.endsWith(`.${SHARED}`) ? 'channel' : 'other';
}

/**
 * The address of the same API on Supercast's other host: the shared host or the channel's own.
 * Undefined if the other host is unknown. The token goes only to Supercast's hosts.
 */
export function otherHost(baseUrl: string, subdomain: unknown): string | undefined {
	const { pathname } = new URL(baseUrl);
	const kind = hostKind(baseUrl);
	if (kind === 'channel') return `https://${SHARED}${pathname}`;
	const isName = typeof subdomain === 'string' && /^[a-z0-9][a-z0-9-]*$/i.test(subdomain);
	return kind === 'shared' && isName ? `https://${subdomain}.${SHARED}${pathname}` : undefined;
}
