import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { textOf } from '../api/json';
import {
	contradiction,
	findRecord,
	isAboutAnother,
	isSameState,
	requestChange,
	showsWhatWasSent,
	SUBSCRIBER_STATES,
} from '../api/records';
import type { ApiRequest, Subject } from '../api/types';
import { lookUp } from './requests';

/**
 * States that a feed can be set to. Supercast shows `inactive` as `deactivated` on the subscriber
 * (the vendor's Ruby client).
 */
export type FeedState = 'available' | 'inactive' | 'suspended';

/**
 * Opens or closes the feeds of a subscriber. If the response shows another state or another person,
 * twice, the subscriber's own state decides.
 *
 * @param subscriber Email or uuid.
 * @param beforeRetry Runs before each retry. If it throws, there is no retry.
 * @returns The record in Supercast's response; undefined if the response is empty.
 * @throws ServiceError if the request fails, or if the feeds have another state afterwards.
 */
export async function setFeedState(
	client: SupercastClient,
	subscriber: string,
	state: FeedState,
	subject: Subject = feedSubject(subscriber),
	beforeRetry?: () => Promise<void>,
): Promise<IDataObject | undefined> {
	const request: ApiRequest = {
		method: 'PATCH',
		path: ['feeds', subscriber],
		body: { feed_token: { state } },
		subject,
		beforeRetry,
	};
	const record = await requestChange(client, request);
	if (record === undefined) return undefined;
	const isOther = isAboutAnother(record, request);
	if (!isOther && showsWhatWasSent(record, request)) return record;
	const { state: shown } = (await findRecord(client, lookUp(subscriber))) ?? {};
	if (SUBSCRIBER_STATES.includes(textOf(shown)) && isSameState(shown, state)) {
		return isOther ? undefined : record;
	}
	throw contradiction(
		request,
		isOther ? 'another subscriber' : `the state "${textOf(record.state)}"`,
	);
}

/** How error messages name the feed of a subscriber, and what a request does to it. */
export function feedSubject(name: string, more: Partial<Subject> = {}): Subject {
	return { ...more, text: `feed of the subscriber "${name}"`, isRecord: true };
}
