/** Names of time zones, such as Europe/Berlin. */

import { takesZone } from '../operations/validation';

/**
 * Whether times can be shown in this zone. Node.js lists each zone under one name, but knows others
 * for it, such as Asia/Kolkata for Asia/Calcutta.
 */
export function isTimeZone(zone: string): boolean {
	// Refuse offsets such as +01:00, which newer versions of Node.js also accept.
	return /^[a-z]/i.test(zone) && takesZone(zone);
}

/** Present names that Node.js may list under former ones. n8n offers them for workflows. */
const PRESENT_NAMES = [
	...['Africa/Asmara', 'America/Argentina/Buenos_Aires', 'America/Atikokan', 'America/Nuuk'],
	...['Asia/Ho_Chi_Minh', 'Asia/Kathmandu', 'Asia/Kolkata', 'Asia/Yangon', 'Atlantic/Faroe'],
	...['Europe/Kyiv', 'Pacific/Chuuk', 'Pacific/Kanton'],
];

/** The zones to choose from. UTC comes first. */
export function listTimeZones(): string[] {
	const known = [...Intl.supportedValuesOf('timeZone'), ...PRESENT_NAMES.filter(isTimeZone)];
	const named = [...new Set(known)].filter((zone) => zone !== 'UTC').sort();
	return ['UTC', ...named];
}
