/** Services that each differ from the documented one in one point, where the documents say little. */

import type { SandboxOptions } from '../../../simulators/supercast';
import type { Twist } from './proxy';
import { servicesWithLists } from './lists';
import { servicesWithRecords } from './records';
import { servicesWithChanges } from './changes';

export interface DifferentInOnePoint {
	name: string;
	options?: SandboxOptions;
	twist?: Twist;
}

const switches: SandboxOptions[] = [
	{ allInFields: false },
	{ changedStatus: 204 },
	{ createdStatus: 200 },
	{ createdStatus: 204 },
	{ dateHeader: false },
	{ dates: 'offset' },
	{ dates: 'unix' },
	{ deleted: 'kept' },
	{ emailLookup: 'exact' },
	{ errorBody: 'error' },
	{ errorBody: 'fields' },
	{ feedUrl: 'absent' },
	{ headers: 'none' },
	{ headers: 'plain' },
	{ headers: 'total' },
	{ ids: 'text' },
	{ ids: 'uuid' },
	{ onExistingEmail: 'conflict' },
	{ onExistingEmail: 'duplicate' },
	{ onExistingEmail: 'reactivate' },
	{ order: 'newest' },
	{ order: 'unordered' },
	{ perPageMax: 7 },
	{ perPageMax: 30, perPageTooLarge: 'reject' },
	{ recreated: 'same' },
	{ storedEmails: 'lowered' },
	{ tokenInfo: false },
	{ unknownFields: 'reject' },
	{ visibleAfterMs: 15 },
	{ webPages: 'notFound' },
	{ wrapLists: 'data' },
	{ wrapLists: 'each' },
	{ wrapRecords: 'name' },
	{ writeBodies: false },
];

export const services: DifferentInOnePoint[] = [
	...switches.map((options) => ({ name: JSON.stringify(options), options })),
	...[...servicesWithLists, ...servicesWithRecords, ...servicesWithChanges].map(
		([name, twist]) => ({ name, twist }),
	),
];
