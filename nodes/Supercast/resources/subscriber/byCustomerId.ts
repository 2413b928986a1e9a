/** Finds subscribers by their ID in another system. */

import type { SupercastClient } from '../../api/client';
import { InputError } from '../../api/errors/errors';
import { textOf } from '../../api/json';
import type { ApiRequest } from '../../api/types';
import { NoSuchRecordError, type Identifier } from '../../operations/identifiers/identifier';
import { readList } from '../../operations/lists/readList';
import { requireText } from '../../operations/validation';

/** The maximum number of times to read the list, if it keeps changing during the reading. */
const MOST_READINGS = 3;

/** Subscribers by customer ID. */
interface Directory {
	found: Map<string, Person[]>;
	/**
	 * Whether the total stayed the same during the reading. If it changed, some records may have
	 * moved to another page and be missing.
	 */
	isComplete: boolean;
}

interface Person {
	/** The name of this person in Supercast's paths: the uuid, or else the email. */
	path: string;
	email: string;
}

/** Each client serves one execution, so all items of that execution share one directory. */
const directories = new WeakMap<SupercastClient, Promise<Directory>>();

/**
 * Reads a customer ID. Supercast's paths do not accept customer IDs (Supercast API reference, the
 * subscriber object), and its lists have no filters. So the look-up reads the list of subscribers.
 *
 * @param typed The customer ID, exactly as in the membership system. It is case-sensitive.
 * @param list The request that reads the list of subscribers.
 * @throws InputError if it is empty.
 */
export function customerIdentifier(typed: string, list: ApiRequest): Identifier {
	const value = requireText(typed, 'Subscriber').trim();
	return {
		key: 'customer_id',
		value,
		resolve: async (client) => {
			const directory = directories.get(client) ?? readDirectory(client, list);
			directories.set(client, directory);
			return theOnlyOne(value, await directory);
		},
	};
}

async function readDirectory(client: SupercastClient, list: ApiRequest): Promise<Directory> {
	for (let reading = 1; ; reading++) {
		const found = new Map<string, Person[]>();
		const { pages, totals } = readList(client, list);
		for await (const page of pages) {
			for (const { customer_id: id, uuid, email } of page) {
				const customerId = textOf(id).trim();
				if (customerId === '') continue;
				const person = { path: textOf(uuid ?? email), email: textOf(email) };
				found.set(customerId, [...(found.get(customerId) ?? []), person]);
			}
		}
		const isComplete = totals.size <= 1;
		if (isComplete || reading === MOST_READINGS) return { found, isComplete };
	}
}

function theOnlyOne(customerId: string, { found, isComplete }: Directory): string {
	const [person, ...others] = found.get(customerId) ?? [];
	if (person !== undefined && others.length === 0) return person.path;
	if (person !== undefined) {
		const emails = [person, ...others].map(({ email }) => email).join(', ');
		throw new InputError(
			`${others.length + 1} subscribers have the customer ID "${customerId}": ${emails}`,
			'Select this subscriber by email or UUID, or correct the customer ID in Supercast.',
		);
	}
	if (!isComplete) {
		throw new InputError(
			`The node could not determine whether a subscriber has the customer ID "${customerId}"`,
			'The list of subscribers kept changing while the node was reading it. Run the node again for this item.',
		);
	}
	throw new NoSuchRecordError(
		`Supercast has no subscriber with the customer ID "${customerId}"`,
		'Check the ID, and check that the credential belongs to the right channel. If the subscriber has no customer ID, use the email instead.',
	);
}
