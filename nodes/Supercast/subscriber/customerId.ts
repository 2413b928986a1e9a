import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { textOf } from '../api/json';
import type { Candidate } from '../api/queue';
import { findRecord } from '../api/records';
import { NoSuchRecordError, type Identifier } from '../operations/kinds';
import { refuseSpoiledName } from '../operations/spoiled';
import { requireId } from '../operations/texts';
import { holdersOf } from './findPerson';
import { lookUp } from './listing';

/** Reads a customer ID, which is case-sensitive. Throws InputError if it is blank. */
export function customerIdentifier(typed: string): Required<Identifier> {
	const value = requireId(typed, 'Subscriber');
	return {
		key: 'customer_id',
		value,
		search: {
			find: async (client) => await holdersOf(client, value, { mustProve: true }),
			choose: async (client, holders) => {
				const [holder] = holders;
				if (holder === undefined) {
					refuseSpoiledName(value, 'Subscriber');
					throw new NoSuchRecordError(
						`Supercast has no subscriber with the customer ID "${value}"`,
						'Check the ID, and check that the credential belongs to the right channel. If the subscriber has no customer ID, use the email instead.',
					);
				}
				if (holders.length === 1) return holder.name;
				throw new InputError(
					`${holders.length} subscribers have the customer ID "${value}": ${await emailsOfHolders(client, holders)}`,
					'Select the subscriber by email or UUID, or correct the customer ID in Supercast.',
				);
			},
		},
	};
}

async function emailsOfHolders(
	client: SupercastClient,
	holders: readonly Candidate[],
): Promise<string> {
	const emails = holders.map(async ({ name, record }) => {
		const shown = record ?? (await findRecord(client, lookUp(name)));
		return textOf(shown?.email) || name;
	});
	return (await Promise.all(emails)).join(', ');
}
