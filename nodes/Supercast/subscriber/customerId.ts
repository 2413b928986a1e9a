/** Finds subscribers by their ID in another system. */

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { textOf } from '../api/json';
import { NoSuchRecordError, type Identifier, type RecordKind } from '../operations/kinds';
import { readList } from '../operations/lists';
import { requireId } from '../operations/validation';

/** Subscribers by customer ID. */
interface Directory {
	found: Map<string, Person[]>;
	/** Whether the list was read to its end. If not, it does not prove that someone is missing. */
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
 * Reads a customer ID, which is case-sensitive. Supercast's paths do not accept customer IDs
 * (Supercast API reference, the subscriber object), and its lists have no filters. So the look-up
 * reads the list of subscribers.
 */
export function customerIdentifier(typed: string, kind: RecordKind): Required<Identifier> {
	const value = requireId(typed, 'Subscriber');
	return {
		key: 'customer_id',
		value,
		resolve: async (client) => theOnlyOne(value, await directoryOf(client, kind)),
	};
}

/**
 * Finds all subscribers with a customer ID. Reads the list once for all items of an execution.
 *
 * @returns Their names in Supercast's paths.
 * @throws InputError if there seems to be none, but the list kept changing.
 */
export async function findByCustomerId(
	client: SupercastClient,
	customerId: string,
	kind: RecordKind,
): Promise<string[]> {
	const { found, isComplete } = await directoryOf(client, kind);
	const people = found.get(customerId) ?? [];
	if (people.length === 0 && !isComplete) throw unsteady(customerId);
	return people.map(({ path }) => path);
}

/** Remembers who has a customer ID now, for the later items of the execution. */
export function noteCustomerId(
	client: SupercastClient,
	customerId: string,
	{ uuid, email }: { uuid: string; email: string },
): void {
	const path = uuid === '' ? email : uuid;
	void directories.get(client)?.then(({ found }) => {
		const known = found.get(customerId) ?? [];
		if (known.every((one) => one.path !== path)) {
			found.set(customerId, [...known, { path, email }]);
		}
	});
}

async function directoryOf(client: SupercastClient, kind: RecordKind): Promise<Directory> {
	const directory = directories.get(client) ?? readDirectory(client, kind);
	directories.set(client, directory);
	return await directory;
}

async function readDirectory(client: SupercastClient, kind: RecordKind): Promise<Directory> {
	const found = new Map<string, Person[]>();
	const { taken, isComplete } = await readList(client, kind, {
		mustBeSteady: true,
		take: ({ customer_id: id, uuid, email }) => {
			const customerId = textOf(id).trim().normalize('NFC');
			const path = textOf(uuid).trim() === '' ? textOf(email) : textOf(uuid);
			return customerId === '' ? undefined : { customerId, path, email: textOf(email) };
		},
	});
	for (const person of taken) {
		found.set(person.customerId, [...(found.get(person.customerId) ?? []), person]);
	}
	return { found, isComplete };
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
	if (!isComplete) throw unsteady(customerId);
	throw new NoSuchRecordError(
		`Supercast has no subscriber with the customer ID "${customerId}"`,
		'Check the ID, and check that the credential belongs to the right channel. If the subscriber has no customer ID, use the email instead.',
	);
}

function unsteady(customerId: string): InputError {
	return new InputError(
		`The node could not determine whether a subscriber has the customer ID "${customerId}"`,
		'Supercast sent only a part of the list of subscribers, or the list kept changing. Run the node again for this item.',
	);
}
