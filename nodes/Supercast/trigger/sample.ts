/** Records for tests in the editor. Names, addresses and IDs are made up (decision 0007). */
import type { IDataObject } from 'n8n-workflow';

import { timeOf } from '../api/json';

const ZEROS = '00000000-0000-4000-8000-000000000000';
const TIMES = { created_at: '2026-01-31T09:00:00Z', updated_at: '2026-01-31T09:00:00Z' };

/** Replacements for texts that could name or open something real, by the format of the text. */
const EXAMPLES: Array<[RegExp, string]> = [
	[/^[^@\s]+@[^@\s]+$/, 'sample@example.com'],
	[/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, ZEROS],
	[/^\w+:\/\//, 'https://example.com/sample'],
];

/** Fields whose texts a workflow may compare, and that name nobody. */
const KEPT = /^(state|status|explicit|language|time_zone|plan_name|.*currency)$/;

/** Examples of records, by the path of their kind, for an empty list (fields: decision 0007). */
const RECORDS: Record<string, IDataObject> = {
	subscribers: {
		uuid: ZEROS,
		email: 'sample@example.com',
		customer_id: 'sample',
		first_name: 'Sample',
		last_name: 'Sample',
		state: 'available',
		plan_name: 'Sample',
		subscriptions: [{ feed_url: 'https://example.com/sample' }],
		...TIMES,
	},
	usage_alerts: {
		id: 0,
		subscriber: { uuid: ZEROS, email: 'sample@example.com' },
		created_at: TIMES.created_at,
	},
	episodes: { id: 0, title: 'Sample', published_at: TIMES.created_at, ...TIMES },
	questions: { id: 0, title: 'Sample', body: 'Sample', created_at: TIMES.created_at },
};

/** Names, addresses and IDs are made up, because a workflow acts on whatever a test returns. */
export function exampleOf(path: string, [record]: readonly IDataObject[]): IDataObject {
	const { [path]: example = {} } = RECORDS;
	return JSON.parse(JSON.stringify(record ?? example), (field, value: unknown) => {
		// A draft, for example, has no date of publication.
		if (value === null) return example[field] ?? null;
		if (typeof value === 'number') return field.endsWith('id') ? 0 : value;
		if (typeof value !== 'string' || KEPT.test(field) || timeOf(value) > 0) return value;
		return EXAMPLES.find(([form]) => form.test(value))?.[1] ?? 'Sample';
	}) as IDataObject;
}
