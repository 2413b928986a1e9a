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
 * @param verb What an error says is being done, such as `suspending`.
 * @param label How an error names the subscriber.
 * @returns What the service answers; undefined when that is nothing.
 */
export async function setFeedState(
	client: SupercastClient,
	subscriber: string,
	state: FeedState,
	verb?: string,
	label = subscriber,
): Promise<IDataObject | undefined> {
	return await requestChange(client, {
		method: 'PATCH',
		path: ['feeds', subscriber],
		body: { feed_token: { state } },
		subject: feedSubject(label, verb),
	});
}

/** How an error names the feed of a subscriber. */
export function feedSubject(subscriber: string, verb?: string): Subject {
	const text = `feed of the subscriber "${subscriber}"`;
	return { text, isRecord: true, ...(verb === undefined ? {} : { verb }) };
}
