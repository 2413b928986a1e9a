import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { textOf } from '../api/json';

/** The time zones that the editor offers. They come from the server's Node.js (IANA database). */
export function timeZoneOptions(): INodePropertyOptions[] {
	const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
	return zones.map((value) => ({ name: value.replaceAll('_', ' '), value }));
}

/**
 * Checks the time zone in the fields of a subscriber. Supercast's names for time zones are not
 * documented.
 *
 * @param fields The fields, with Supercast's field names as keys.
 * @throws InputError if the IANA database does not contain the time zone.
 */
export function checkTimeZone(fields: IDataObject): IDataObject {
	if (fields.time_zone === undefined || fields.time_zone === null) return fields;
	const zone = textOf(fields.time_zone).trim();
	if (isTimeZone(zone)) return { ...fields, time_zone: zone };
	throw new InputError(
		`'Time Zone' is not a time zone: "${zone}"`,
		'Choose one from the list, or enter a name such as Europe/Berlin.',
	);
}

function isTimeZone(zone: string): boolean {
	// Refuse offsets such as +01:00, which newer versions of Node.js also accept.
	if (!/^[a-z]/i.test(zone)) return false;
	try {
		return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
	} catch {
		return false;
	}
}
