import { randomUUID } from 'node:crypto';

import type { Answer, Service } from '../service';
import { listOf, recordOf, type List } from '../shapes';
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

/**
 * How the first subscribers of the list can be found. A missing value means that it could not be
 * tried.
 */
export interface Lookups {
	byEmail?: Answer;
	byUuid?: Answer;
	/** By the same email in other capitals. */
	inCapitals?: Answer;
	byCustomerId?: Answer;
	feed?: Answer;
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
	/** Headers of a 429 that was not provoked. */
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
	pastEnd: Answer;
}

/** Finds out everything that is possible without a change. */
export async function read(service: Service): Promise<ProbedReading> {
	const withoutToken = await service.ask('/channel', { withoutToken: true });
	const channel = await service.ask('/channel');
	const { origin, pathname } = new URL(service.baseUrl);
	const other = { '/api/v1': '/v1', '/v1': '/api/v1' }[pathname];
	const reading = {
		withoutToken,
		channel,
		...(other === undefined
			? {}
			: { otherPath: await service.ask('/channel', { base: `${origin}${other}` }) }),
		...(await onOtherHost(service, channel)),
		tokenInfo: await service.ask('/oauth/token/info', { base: origin }),
		...(await readLists(service)),
		pages: await readPages(service),
		missingRecord: await service.ask(`/subscribers/${randomUUID()}`),
		wrongAddress: await service.ask('/there-is-no-such-address'),
	};
	const episodeId = reading.lists.episodes?.rows[0]?.id;
	return {
		...reading,
		lookups: await lookUp(service, reading.lists.subscribers?.rows ?? []),
		...(isName(episodeId) ? { episode: await service.ask(`/episodes/${encode(episodeId)}`) } : {}),
		refusals: [...service.refusals],
	};
}

async function onOtherHost(service: Service, channel: Answer): Promise<{ otherHost?: Answer }> {
	const base = otherHost(service.baseUrl, recordOf(channel, 'channel')?.subdomain);
	if (base === undefined) return {};
	const answer = await service.ask('/channel', { base }).catch(() => undefined);
	return answer === undefined ? {} : { otherHost: answer };
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
	const page = async (number: number, perPage: number): Promise<Answer> =>
		await service.ask(`/subscribers?page=${number}&per_page=${perPage}`);
	const large = await page(1, 1_000);
	return {
		large,
		afterLarge: await page(2, 1_000),
		...(large.status === 200 ? {} : { hundred: await page(1, 100) }),
		first: await page(1, 2),
		second: await page(2, 2),
		pastEnd: await page(1_000_000, 2),
	};
}

async function lookUp(
	service: Service,
	rows: ReadonlyArray<Record<string, unknown>>,
): Promise<Lookups> {
	const one = rows.find(({ email, uuid }) => isName(email) && isName(uuid));
	const ownId = rows.map(({ customer_id: id }) => id).find((id) => isName(id));
	const find = async (name: unknown): Promise<Answer> =>
		await service.ask(`/subscribers/${encode(name)}`);
	return {
		...(one === undefined
			? {}
			: {
					byEmail: await find(one.email),
					byUuid: await find(one.uuid),
					inCapitals: await find(otherCapitals(String(one.email))),
					feed: await service.ask(`/feeds/${encode(one.uuid)}`),
				}),
		...(ownId === undefined ? {} : { byCustomerId: await find(ownId) }),
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
