import { requestRecord } from '../api/records';
import { recordSubject, type NamedRecordKind, type Simplifiable } from './recordKind';
import { simplifier, simplifyProperties } from './properties';
import type { Operation } from './types';

/** Builds the operation that reads one record. */
export function getOperation(
	kind: NamedRecordKind & Partial<Simplifiable>,
	texts: Pick<Operation, 'action' | 'description'>,
): Operation {
	return {
		name: 'Get',
		...texts,
		properties: [kind.locator, ...simplifyProperties(kind)],
		prepare: (item) => {
			const { value, resolve } = kind.identify(item);
			const simplify = simplifier(kind, item);
			return {
				record: value,
				run: async (client) => {
					const record = await requestRecord(client, {
						method: 'GET',
						path: [kind.path, await resolve(client)],
						subject: recordSubject(kind, value),
					});
					return [simplify(record)];
				},
			};
		},
	};
}
