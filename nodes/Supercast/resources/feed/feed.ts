import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../api/client';
import { requestChange } from '../../api/records';
import { subscribers } from '../subscriber/subscriber';
import type { Subject } from '../../api/types';
import type { Operation } from '../../operations/types';

/**
 * States that a feed can be put into. The service reads `inactive` back as `deactivated` on the
 * subscriber (the vendor's Ruby client).
 */
export type FeedState = 'available' | 'inactive' | 'suspended';

/** How an error names the feed of a subscriber. */
export function feedSubject(subscriber: string, verb?: string): Subject {
	const text = `feed of the subscriber "${subscriber}"`;
	return { text, isRecord: true, ...(verb === undefined ? {} : { verb }) };
}

/**
 * Opens or closes the feeds of a subscriber.
 *
 * @param subscriber Email or uuid.
 * @returns What the service answers; undefined when that is nothing.
 */
export async function setFeedState(
	client: SupercastClient,
	subscriber: string,
	state: FeedState,
	verb?: string,
): Promise<IDataObject | undefined> {
	return await requestChange(client, {
		method: 'PATCH',
		path: ['feeds', subscriber],
		body: { feed_token: { state } },
		subject: feedSubject(subscriber, verb),
	});
}

/** Makes the operation that puts the feeds of a subscriber into one state. */
export function feedStateOperation(
	state: FeedState,
	{ verb, ...texts }: Pick<Operation, 'action' | 'description' | 'name'> & { verb: string },
): Operation {
	return {
		...texts,
		properties: [subscribers.locator],
		execute: async (item) => {
			const { key, value } = subscribers.identify(item);
			const feed = await setFeedState(item.client, value, state, verb);
			return [feed ?? { [key]: value, state }];
		},
	};
}
