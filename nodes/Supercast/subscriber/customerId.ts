import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { textOf } from '../api/json';
import { NoSuchRecordError, type Identifier, type RecordKind } from '../operations/kinds';
import { readList } from '../operations/lists';
import { requireId } from '../operations/validation';

/** A text that Supercast does not return is empty. */
interface Names {
	uuid: string;
	email: string;
}

/** Each client serves one execution, so all items of that execution share one directory. */
const directories = new WeakMap<SupercastClient, ReturnType<typeof readDirectory>>();

/** The name of a subscriber in Supercast's paths. */
export function nameOf({ uuid, email }: Names): string {
	return uuid.trim() === '' ? email : uuid;
}

/** Reads a customer ID, which is case-sensitive. Throws InputError if it is blank. */
export function customerIdentifier(typed: string, kind: RecordKind): Required<Identifier> {
	const value = requireId(typed, 'Subscriber');
	return {
		key: 'customer_id',
		value,
		resolve: async (client) => {
			const people = await findByCustomerId(client, value, kind);
			const [person] = people;
			if (person === undefined) {
				throw new NoSuchRecordError(
					`Supercast has no subscriber with the customer ID "${value}"`,
					'Check the ID, and check that the credential belongs to the right channel. If the subscriber has no customer ID, use the email instead.',
				);
			}
			if (people.length === 1) return nameOf(person);
			const emails = people.map(({ email }) => email).join(', ');
			throw new InputError(
				`${people.length} subscribers have the customer ID "${value}": ${emails}`,
				'Select this subscriber by email or UUID, or correct the customer ID in Supercast.',
			);
		},
	};
}

/**
 * Finds all subscribers with a customer ID. Paths do not accept it (Supercast API reference, the
 * subscriber object), and lists have no filters. So this reads the whole list, once per execution.
 * @throws InputError if there seems to be none, but the list kept changing.
 */
export async function findByCustomerId(
	client: SupercastClient,
	customerId: string,
	kind: RecordKind,
): Promise<Names[]> {
	const directory = directories.get(client) ?? readDirectory(client, kind);
	directories.set(client, directory);
	const { found, isComplete } = await directory;
	const people = found.get(customerId) ?? [];
	// An incomplete list does not prove that someone is missing.
	if (people.length > 0 || isComplete) return people;
	throw new InputError(
		`The node could not determine whether a subscriber has the customer ID "${customerId}"`,
		'Supercast sent only a part of the list of subscribers, or the list kept changing. Run the node again for this item.',
	);
}

/** Remembers who has a customer ID now, for the later items of the execution. */
export async function noteCustomerId(
	client: SupercastClient,
	customerId: string | undefined,
	names: Names | undefined,
): Promise<void> {
	if (customerId === undefined || names === undefined) return;
	// If the list could not be read, the item that needed it has failed.
	const directory = await directories.get(client)?.catch(() => undefined);
	const known = directory?.found.get(customerId) ?? [];
	if (known.some((one) => nameOf(one) === nameOf(names))) return;
	directory?.found.set(customerId, [...known, names]);
}

async function readDirectory(client: SupercastClient, kind: RecordKind) {
	const { taken, isComplete } = await readList(client, kind, {
		mustBeSteady: true,
		take: ({ customer_id: id, uuid, email }) => ({
			customerId: textOf(id).trim().normalize('NFC'),
			uuid: textOf(uuid),
			email: textOf(email),
		}),
	});
	const found: Map<string, Names[]> = groupBy(taken, ({ customerId }) => customerId);
	return { found, isComplete };
}

/** Groups values by a key. Leaves out those without one. */
export function groupBy<T, K>(
	things: readonly T[],
	keyOf: (thing: T) => K | undefined,
): Map<K, T[]> {
	const groups = new Map<K, T[]>();
	for (const thing of things) {
		const key = keyOf(thing);
		if (!key) continue;
		groups.set(key, groups.get(key) ?? []);
		groups.get(key)!.push(thing);
	}
	return groups;
}
