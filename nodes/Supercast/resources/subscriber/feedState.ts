import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../api/client';
import { requestChange } from '../../api/records';
import type { Subject } from '../../api/types';

/**
 * States that a feed can be set to. Supercast shows `inactive` as `deactivated` on the subscriber
 * (the vendor's Ruby client).
 */
export type FeedState = 'available' | 'inactive' | 'suspended';

/**
 * Opens or closes the feeds of a subscriber.
 *
 * @param subscriber Email or uuid.
 * @param subject How error messages name the feed.
 * @param beforeRetry Runs before each retry. If it throws, there is no retry.
 * @returns The record in Supercast's response; undefined if the response is empty.
 */
export async function setFeedState(
	client: SupercastClient,
	subscriber: string,
	state: FeedState,
	subject: Subject = feedSubject(subscriber),
	beforeRetry?: () => Promise<void>,
): Promise<IDataObject | undefined> {
	return await requestChange(client, {
		method: 'PATCH',
		path: ['feeds', subscriber],
		body: { feed_token: { state } },
		subject,
		beforeRetry,
	});
}

/**
 * How error messages name the feed of a subscriber.
 *
 * @param name The subscriber, as the user entered them.
 * @param more What the request does to the feed, and what else the user can do if the feed is
 * missing.
 */
export function feedSubject(
	name: string,
	more: Pick<Subject, 'remedyIfMissing' | 'verb'> = {},
): Subject {
	return { text: `feed of the subscriber "${name}"`, isRecord: true, ...more };
}
