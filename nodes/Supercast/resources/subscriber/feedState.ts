import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../api/client';
import { requestChange } from '../../api/records';
import type { Subject } from '../../api/types';

/**
 * States that a feed can be put into. The service reads `inactive` back as `deactivated` on the
 * subscriber (the vendor's Ruby client).
 */
export type FeedState = 'available' | 'inactive' | 'suspended';

/**
 * Opens or closes the feeds of a subscriber.
 *
 * @param subscriber Email or uuid.
 * @param subject How an error names the feed.
 * @returns What the service answers; undefined when that is nothing.
 */
export async function setFeedState(
	client: SupercastClient,
	subscriber: string,
	state: FeedState,
	subject: Subject = feedSubject(subscriber),
): Promise<IDataObject | undefined> {
	return await requestChange(client, {
		method: 'PATCH',
		path: ['feeds', subscriber],
		body: { feed_token: { state } },
		subject,
	});
}

/**
 * How an error names the feed of a subscriber.
 *
 * @param name What the person named the subscriber by.
 * @param more What is being done to it, and what else can be done when it is missing.
 */
export function feedSubject(
	name: string,
	more: Pick<Subject, 'remedyIfMissing' | 'verb'> = {},
): Subject {
	return { text: `feed of the subscriber "${name}"`, isRecord: true, ...more };
}
