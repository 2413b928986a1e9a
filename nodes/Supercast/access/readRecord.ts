import { identifierKey } from '../api/identity';
import { textOf } from '../api/json';
import { isBlank, isEmail } from '../operations/texts';
import type { ItemParameters } from '../operations/types';
import { requireCustomerId } from '../subscriber/missingId';
import { NOBODY, type DesiredMember } from './match';
import { readAccess, readStatus } from './records';
import { readPerson } from './settings';

/**
 * Reads a record of the membership system. Its email and customer ID may be empty.
 * @throws InputError for invalid values, unless the record has ended.
 */
export function readRecord(item: ItemParameters): DesiredMember {
	const given = item.parameter('access');
	const access = readAccess(given);
	const status = readStatus(item.parameter('status'));
	// Without a status, the value itself shows what is unclear.
	const statuses = access === 'unclear' && status.length === 0 ? readStatus(given) : status;
	const person = access === 'close' ? readEnded(item) : readPerson(item, 'Sync');
	return { ...person, access, statuses };
}

/** A record that has ended gives nobody access, so that an invalid value in it must not stop the list. */
function readEnded(item: ItemParameters): DesiredMember {
	const typed = textOf(item.parameter('email')).trim().normalize('NFC');
	const email = isEmail(typed) ? typed : '';
	const customerIds = validId(item.parameter('customerId'));
	return { ...NOBODY, items: [], email, emailKey: identifierKey(email), customerIds };
}

function validId(typed: unknown): string[] {
	if (isBlank(typed)) return [];
	try {
		return [requireCustomerId(typed)];
	} catch {
		return [];
	}
}
