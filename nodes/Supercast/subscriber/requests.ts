import type { IDataObject } from 'n8n-workflow';

import { changeAndConfirm, createAndConfirm } from '../api/changes';
import { showsWhatWasSent } from '../api/sentFields';
import type { SupercastClient } from '../api/client';
import { type AskedChange, confirmed } from '../api/confirm';
import { ServiceError } from '../api/errors/errors';
import { doing } from '../api/errors/messages';
import { saysTaken } from '../api/errors/serviceWords';
import { isForOther } from '../api/identity';
import { isSameValue, textOf } from '../api/json';
import { findRecord, requestRecord } from '../api/records';
import {
	hasOpenSubscription,
	isState,
	subscriptionNotOpen,
	unknownSubscription,
} from '../api/states';
import type { ApiRequest, Path, Subject } from '../api/types';
import { createRequest } from '../operations/kinds';
import { showsAccess, subscribers } from './kind';
import { findInLowerCase, lookUp } from './listing';

/**
 * Creates a subscriber, or finds the existing one. `fields` has Supercast's field names.
 * @returns The record that Supercast shows. Its feeds may be closed, even if it is new.
 * @throws ServiceError if the request fails and there is no such subscriber, or if Supercast shows
 * none afterwards.
 */
export async function createOrFind(
	client: SupercastClient,
	email: string,
	fields: IDataObject,
): Promise<{ record: IDataObject; existed: boolean }> {
	const request = createRequest(subscribers, email, fields);
	const create = async () => {
		const { record, wasLookedUp } = await createAndConfirm(client, request, showsAccess);
		// The response was lost, and someone else may have created the subscriber in the meantime.
		return { record, existed: wasLookedUp === true && !showsWhatWasSent(record, request) };
	};
	return await create().catch(async (error: unknown) => {
		const record = await findRefusedSubscriber(client, email, error);
		if (record === undefined) throw error;
		return { record, existed: true };
	});
}

/**
 * Finds the subscriber that made Supercast refuse a create request. Someone else may have added it,
 * or its email may have other capitals. It is unknown which status Supercast sends in the second
 * case.
 */
async function findRefusedSubscriber(
	client: SupercastClient,
	email: string,
	error: unknown,
): Promise<IDataObject | undefined> {
	if (!(error instanceof ServiceError) || error.failure.kind !== 'status') return undefined;
	const { status, body } = error.failure;
	if (status !== 409 && status !== 422) return undefined;
	const other = await findInLowerCase(client, email);
	const mayBeHidden = status === 409 || saysTaken(body);
	return other ?? (await findRecord(client, { ...lookUp(email), mayBeHidden }));
}

/**
 * The fields to change, except the email, which Supercast may capitalize differently. A field that
 * Supercast does not return counts as different.
 */
export function differences(current: IDataObject, wanted: IDataObject): IDataObject {
	const entries = Object.entries(wanted).filter(([key, value]) => {
		const isSame = current[key] !== undefined && isSameValue(current[key], value);
		return key !== 'email' && !isSame;
	});
	return Object.fromEntries(entries);
}

/** Supercast shows `inactive` as `deactivated` on the subscriber (the vendor's Ruby client). */
export type FeedState = 'available' | 'inactive' | 'suspended';

/** What Supercast shows after a change of feeds: the feed, the subscriber, or only one of them. */
interface FeedChange {
	/** The response to the change, if it shows the new state. */
	feed?: IDataObject;
	/** The subscriber, if the node had to read it. */
	subscriber?: IDataObject;
	/** After an opening: the state of another subscription that is not open, as far as is known. */
	notOpen?: string;
}

/** What else to know about a change of feeds. */
interface FeedOptions {
	subject?: Subject;
	/** Runs before each retry. If it throws, there is none. */
	beforeRetry?: ApiRequest['beforeRetry'];
	/** Whether the person may have several subscriptions, of which some might stay open. */
	mayHaveSeveral?: boolean;
}

/**
 * Opens or closes feeds. If the response does not show the new state, the subscriber must show it
 * within a few seconds. If there may be several subscriptions, the subscriber must show them. When
 * feeds are closed, none may be open.
 * @throws ServiceError if the request fails, or if Supercast does not show the new state.
 */
export async function setFeedState(
	client: SupercastClient,
	subscriber: string,
	state: FeedState,
	{
		subject = feedSubject(subscriber),
		beforeRetry,
		mayHaveSeveral = client.channel.hasSeveral ?? true,
	}: FeedOptions = {},
): Promise<FeedChange> {
	const path: Path = ['feeds', subscriber];
	const body = { feed_token: { state } };
	const request: ApiRequest = { method: 'PATCH', path, body, subject, beforeRetry };
	const change = stateChange(client, request, subscriber, state);
	const showsState = (feed: IDataObject | undefined): feed is IDataObject =>
		change.isShownBy(feed) && !isForOther(feed, request);
	const { answer, response, record } = await changeAndConfirm(client, change, (feed) => {
		return showsState(feed) && (!mayHaveSeveral || feed.subscriptions !== undefined);
	});
	const shown = record ?? answer ?? {};
	refuseUnknownState(shown, request, state);
	return {
		feed: answer ?? (showsState(response) ? response : undefined),
		subscriber: record,
		notOpen: state === 'available' ? subscriptionNotOpen(shown) : undefined,
	};
}

/** After a closing, a subscription in a state that nobody knows may still be open. */
function refuseUnknownState(shown: IDataObject, request: ApiRequest, wanted: FeedState): void {
	const state = unknownSubscription(shown);
	if (state === undefined || wanted === 'available') return;
	throw new ServiceError(
		`Supercast shows a subscription in the state "${state}", which the node does not know: unclear ${doing(request)}`,
		'It is unknown whether all feeds are closed. Check this subscriber in Supercast.',
		{ kind: 'unexpected', status: 200, came: `the state "${state}"` },
		1,
		true,
	);
}

/**
 * Reads a subscriber whose feeds were just set to a state. Waits up to a few seconds for that state.
 * @throws ServiceError if the request fails, or if Supercast shows another state.
 */
export async function readInState(
	client: SupercastClient,
	subscriber: string,
	state: FeedState,
	subject: Subject,
): Promise<IDataObject> {
	const request: ApiRequest = { method: 'PATCH', path: ['feeds', subscriber], subject };
	return await confirmed(stateChange(client, request, subscriber, state));
}

function stateChange(
	client: SupercastClient,
	request: ApiRequest,
	subscriber: string,
	state: FeedState,
): AskedChange {
	return {
		request,
		isShownBy: (record): record is IDataObject =>
			isState(record?.state, state) &&
			(state === 'available' || !hasOpenSubscription(record ?? {})),
		looksAfterFailure: true,
		// A missing subscriber is reported as such.
		find: async (outdatedIf) => await requestRecord(client, { ...lookUp(subscriber), outdatedIf }),
		wanted: `the state "${state}"`,
		inWords: (record = {}) => {
			const shown = `the state "${textOf(record.state) || 'unknown'}"`;
			const isPartlyOpen = !isState(record.state, 'available') && hasOpenSubscription(record);
			return isPartlyOpen ? `${shown} with a subscription that is "available"` : shown;
		},
	};
}

/** How error messages name the feed of a subscriber, and what a request does to it. */
export function feedSubject(name: string, more: Partial<Subject> = {}): Subject {
	return { ...more, text: `feed of the subscriber "${name}"`, isRecord: true };
}
