import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import {
	nameInAddress,
	type AskChannel,
	type ChannelAccess,
	type ChannelFacts,
} from './channelFacts';
import { MINUTE_MS, pause, throughSleep, type Clock, type Runtime } from './clock';
import { describeFailure } from './errors/errors';
import { keysOf, identifiersIn } from './identity';
import { asRecord, isRecord } from './json';
import { CustomerIdIndex } from './ledger/customerIdIndex';
import { isOfPerson } from './ledger/writtenState';
import { Ledger, type OpenChange } from './ledger/ledger';
import { OwnChanges } from './ledger/ownChanges';
import { PersonQueues } from './ledger/personQueues';
import { RateLimiter } from './rate-limit/rateLimiter';
import { mayFollow } from './retry/retryPolicy';
import { subscriptionsOf } from './states';
import type { ApiRequest, ApiResponse, Attempt } from './types';

/** If a channel can't be read, it may be asked for again after this time, or later for its name. */
const ASK_AGAIN_MS = MINUTE_MS;
const ASK_NAME_AGAIN_MS = 60 * MINUTE_MS;

/** What all executions of this process share that work with the same channel. */
export class Channel {
	readonly queues = new PersonQueues();

	readonly ledger: Ledger;

	readonly ownChanges: OwnChanges;

	readonly customerIds: CustomerIdIndex;

	readonly limiter: RateLimiter;

	/** Whether people may have several subscriptions. Undefined as long as no record was read. */
	hasSeveral: boolean | undefined;

	/** Whether a server has answered. */
	private isReached = false;

	/** How many requests a minute each credential allows. */
	private readonly limits = new Map<string, number>();

	constructor(private readonly runtime: Runtime) {
		const { clock, windowMs } = runtime;
		this.ledger = new Ledger(runtime);
		this.ownChanges = new OwnChanges(runtime);
		this.customerIds = new CustomerIdIndex(throughSleep(runtime));
		this.limiter = new RateLimiter(0, windowMs, clock);
	}

	/** Notes how many requests a minute a credential allows. The lowest number counts, except 0. */
	setLimit(credentialId: string, requestsPerMinute: number): void {
		this.limits.set(credentialId, requestsPerMinute || Infinity);
		const lowest = Math.min(...this.limits.values());
		this.limiter.limit = lowest === Infinity ? 0 : lowest;
	}

	/** How long a 404 may be temporary, in milliseconds. If this is 0 or less, a 404 is final. */
	hiddenMs({ path, mayBeHidden }: ApiRequest): number {
		return mayBeHidden ? this.runtime.visibleMs : this.ledger.hiddenMs(path[1]);
	}

	/**
	 * Notes that a server has answered. After that, an address that can't be found is no mistake in
	 * the address, but a name server that fails for a moment.
	 */
	withReach(attempt: Attempt): Attempt {
		const failure = 'failure' in attempt ? attempt.failure : undefined;
		if (failure?.kind !== 'network') this.isReached ||= failure?.kind !== 'token';
		else if (failure.code === 'ENOTFOUND' && this.isReached) {
			return { failure: { ...failure, code: 'EAI_AGAIN' } };
		}
		return attempt;
	}

	private noteSubscriptions(body: unknown): void {
		const records = [body].flat().filter(isRecord);
		if (records.length === 0 || this.hasSeveral === true) return;
		this.hasSeveral = records.some((one) => subscriptionsOf(one).length > 1);
	}

	/** Reads again, for a few seconds, what contradicts a change of this process. */
	withoutOldSnapshots(request: ApiRequest): ApiRequest {
		if (!isReadOfPerson(request)) return request;
		const isOld = (body: unknown, sentAt: number): boolean =>
			request.outdatedIf?.(body, sentAt) === true ||
			(isRecord(body) && this.ownChanges.isOutdated(request, body, sentAt));
		return { ...request, outdatedIf: isOld };
	}

	/**
	 * A read that still contradicts a change of this process is older than the change. But the
	 * one that checks a change gets what Supercast shows.
	 * @throws ServiceError if this process has deleted the record.
	 */
	corrected(request: ApiRequest, response: ApiResponse): ApiResponse {
		const { body, sentAt = this.ledger.now() } = response;
		if (!isReadOfPerson(request) || request.outdatedIf !== undefined || !isRecord(body)) {
			return response;
		}
		const record = this.ownChanges.corrected(request, body, sentAt);
		if (record !== undefined) return record === body ? response : { ...response, body: record };
		throw describeFailure({ kind: 'status', status: 404, body: {} }, request);
	}

	/**
	 * Notes that a change of a person is under way.
	 * @param stop Ends the execution, but not the request.
	 * @returns When the request has ended.
	 */
	async noteSent(request: ApiRequest, sent: Promise<Attempt>, stop?: AbortSignal): Promise<void> {
		const { clock, lateMs, visibleMs } = this.runtime;
		const ended = sent.then(() => undefined);
		const keys = identifiersInRequest(request);
		const open = this.ledger.noteOpen(keys, ended);
		const attempt = await sent;
		const follows = 'failure' in attempt ? mayFollow(attempt.failure) : 'never';
		if (follows !== 'never' || 'response' in attempt) this.ownChanges.noteSent(request, keys);
		const isUnseen = stop?.aborted === true;
		// Nobody has looked at the response.
		if (isUnseen) this.noteResponse(request, 'response' in attempt ? attempt.response.body : {});
		const isOver = follows === 'never' && !isUnseen;
		open.until = isOver ? 0 : clock.now() + visibleMs + (follows === 'late' ? lateMs : 0);
	}

	/** Waits until these changes have ended for sure, or until the signal is aborted. */
	async ended(open: readonly OpenChange[], signal?: AbortSignal): Promise<void> {
		const { clock } = this.runtime;
		await Promise.all(open.map(async ({ ended }) => await ended));
		const leftMs = Math.max(...open.map(({ until }) => until)) - clock.now();
		if (leftMs > 0) await pause(clock, leftMs, signal);
	}

	/** Notes what a request and the body of its response say about names and customer IDs. */
	noteResponse(request: ApiRequest, body: unknown): void {
		const { method, path, newName } = request;
		this.customerIds.noteResponse(request, body);
		if (method === 'DELETE') this.ledger.noteNew([path[1]], 0);
		if (method === 'GET' && path[0] === 'subscribers') this.noteSubscriptions(body);
		if (isReadOfPerson(request) && isRecord(body)) this.ledger.noteSameRecord(path[1], body);
		if (newName !== undefined) this.ledger.noteNew([newName, asRecord(body).uuid]);
	}
}

function isReadOfPerson({ method, path: [collection, name] }: ApiRequest): boolean {
	return isOfPerson(collection) && method === 'GET' && name !== undefined;
}

/** The names of the person whom a request changes, as keys. */
function identifiersInRequest({ path: [collection, name], body, newName }: ApiRequest): string[] {
	if (!isOfPerson(collection)) return [];
	const given = identifiersIn(asRecord(Object.values(body ?? {})[0]) as IDataObject);
	return [...new Set([...keysOf({ uuid: name }), ...keysOf({ email: newName }), ...keysOf(given)])];
}

/** A channel as one credential opens it. */
export interface OpenedChannel {
	readonly access: ChannelAccess;
	channel: Channel;
	/** How to ask with the latest client, unless its execution has been forgotten. */
	ask?: WeakRef<AskChannel>;
	/** Undefined as long as Supercast has said nothing. */
	facts?: ChannelFacts;
	/** The request that is under way. */
	asking?: Promise<ChannelFacts | undefined>;
	askedAt?: number;
}

/** All channels of this process, by what the credentials say. Tests clear them. */
export const channels = new Map<string, OpenedChannel>();

/** Two credentials with the same token open the same channel. */
export function keyOfAccess({ baseUrl, subdomain, credentialId, token }: ChannelAccess): string {
	const hash = createHash('sha256').update(token).digest('base64url');
	return JSON.stringify([baseUrl, subdomain, token === '' ? `ID ${credentialId}` : hash]);
}

/** Gets the channel that a credential opens, and frees memory that no channel needs. */
export function openChannel(access: ChannelAccess, runtime: Runtime): OpenedChannel {
	const key = keyOfAccess(access);
	const opened = channels.get(key) ?? { access, channel: new Channel(runtime) };
	channels.set(key, opened);
	for (const { channel } of channels.values()) channel.customerIds.forgetOld();
	return opened;
}

/**
 * If another credential may open the same channel, asks Supercast with both, once for each. Those
 * that open the same channel share what the first one knows.
 */
export async function joinOthers(opened: OpenedChannel, clock: Clock): Promise<void> {
	const all = [...channels.values()];
	const others = all.filter((one) => mayBeSameChannel(one, opened));
	if (others.length === 0) return;
	await Promise.all([opened, ...others].map(async (one) => await identifyChannel(one, clock)));
	const own = opened.facts?.identity;
	const same = all.filter(({ facts }) => own !== undefined && facts?.identity === own);
	const { channel } = same.find(({ access }) => access.baseUrl === opened.access.baseUrl) ?? opened;
	opened.channel = channel;
}

/** By what the channel is recognized, after at most one request for each credential and process. */
export async function identifyChannel(
	opened: OpenedChannel,
	clock: Clock,
	ask = opened.ask?.deref(),
): Promise<string | undefined> {
	return (await factsOf(opened, clock, ask, ASK_AGAIN_MS))?.identity;
}

/** What people call the channel. If Supercast does not say it, what the credential says. */
export async function nameChannel(
	opened: OpenedChannel,
	clock: Clock,
	ask: AskChannel,
): Promise<string> {
	const facts = await factsOf(opened, clock, ask, ASK_NAME_AGAIN_MS);
	return facts?.name ?? nameInAddress(opened.access);
}

async function factsOf(
	opened: OpenedChannel,
	clock: Clock,
	ask: AskChannel | undefined,
	againAfterMs: number,
): Promise<ChannelFacts | undefined> {
	const isTooSoon = clock.now() - (opened.askedAt ?? -Infinity) < againAfterMs;
	if (opened.facts === undefined && ask !== undefined && !isTooSoon) {
		opened.askedAt = clock.now();
		opened.asking = ask();
	}
	opened.facts ??= await opened.asking;
	return opened.facts;
}

/** Whether two credentials may open the same channel, as far as they say. */
function mayBeSameChannel({ access: one, channel }: OpenedChannel, opened: OpenedChannel): boolean {
	const other = opened.access;
	if (one.baseUrl !== other.baseUrl || channel === opened.channel) return false;
	return one.subdomain === '' || other.subdomain === '' || one.subdomain === other.subdomain;
}
