/** Records, subscribers and items for tests of single rules. */

import type { IDataObject } from 'n8n-workflow';

import type { MemberRecord } from '../../../nodes/Supercast/access/record';
import {
	currentSubscriber,
	type CurrentSubscriber,
} from '../../../nodes/Supercast/access/subscribers';
import { InputError } from '../../../nodes/Supercast/api/errors/errors';
import { identifierKey } from '../../../nodes/Supercast/api/identity';
import type { ItemParameters } from '../../../nodes/Supercast/operations/types';

export const NOW = Date.UTC(2026, 0, 15, 12);

/** A record of Ann, who pays. */
export function record(fields: Partial<MemberRecord> = {}): MemberRecord {
	const { email = 'ann@example.com' } = fields;
	return {
		...{ item: 0, access: 'open', ground: { kind: 'status' }, status: 'active', products: [] },
		...{ customerId: 'c-1', emailKey: identifierKey(email), email },
		fields: () => ({ fields: {}, leftOut: [] }),
		...fields,
	};
}

/** Ann at Supercast, with an open feed. */
export function subscriber(fields: IDataObject = {}): CurrentSubscriber {
	return currentSubscriber({
		...{ uuid: 'u-1', email: 'ann@example.com', customer_id: 'c-1', state: 'available' },
		...{ plan_id: null, first_name: 'Ann', updated_at: '2026-01-01T00:00:00Z' },
		...fields,
	});
}

/** An item, with the values of parameters as n8n has resolved them. */
export function itemWith(values: IDataObject): ItemParameters {
	const all: Record<string, unknown> = {
		...{ resource: 'subscriber', operation: 'sync', access: 'open', status: '' },
		...{ email: '', customerId: '', additionalFields: {}, options: {} },
		...{ dryRun: false, close: 'all', maxClosePercent: 10 },
		...values,
	};
	return {
		...{ timezone: 'UTC', now: NOW, isOld: false },
		parameter: (name, fallback) => (name in all ? all[name] : fallback),
		collection: (name) => (all[name] ?? {}) as IDataObject,
		locator: () => ({ mode: '', value: '' }),
	};
}

/** What a refused input says, and what to do. */
export function refusalOf(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		if (error instanceof InputError) return `${error.message}. ${error.description}`;
		throw error;
	}
	return 'none';
}
