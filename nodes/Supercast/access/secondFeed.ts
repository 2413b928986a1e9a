import type { SupercastClient } from '../api/client';
import { isSameIdentifier } from '../api/identity';
import { findRecord } from '../api/records';
import { likelyHolders } from '../subscriber/customerId';
import { lookUp } from '../subscriber/requests';
import type { AppliedDecision } from './apply';
import { currentSubscriber, isFullyClosed, type CurrentSubscriber } from './match';

/**
 * After one feed was closed, finds the person's other subscribers whose feeds may still be open.
 * Only finds those whose customer ID this process has read lately. Costs one request for each
 * candidate.
 * @throws ServiceError if a request fails.
 */
export async function otherOpenFeeds(
	client: SupercastClient,
	decision: AppliedDecision,
): Promise<CurrentSubscriber[]> {
	if (decision.action !== 'closed' && decision.action !== 'unchanged') return [];
	const { uuid, email, customerId } = decision.subscriber;
	const isOwn = (name: string): boolean =>
		isSameIdentifier(name, uuid) || isSameIdentifier(name, email);
	const names = likelyHolders(client, customerId).filter((name) => !isOwn(name));
	const records = await Promise.all(
		names.map(async (name) => await findRecord(client, lookUp(name))),
	);
	return records
		.filter((record) => record !== undefined)
		.map(currentSubscriber)
		.filter((one) => one.customerId === customerId && !isFullyClosed(one));
}
