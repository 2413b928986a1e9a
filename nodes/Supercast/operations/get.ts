import { requestRecord } from '../api/records';
import { recordSubject, type NamedRecordKind, type Simplifiable } from './recordKind';
import { simplifier, simplifyProperties } from './simplify';
import type { Operation } from './types';

/** Makes the operation that reads one record. */
export function getOperation(
	kind: NamedRecordKind & Partial<Simplifiable>,
	texts: Pick<Operation, 'action' | 'description'>,
): Operation {
	return {
		name: 'Get',
		...texts,
		properties: [kind.locator, ...simplifyProperties(kind)],
		execute: async (item) => {
			const { value } = kind.identify(item);
			const simplify = simplifier(kind, item);
			const record = await requestRecord(item.client, {
				method: 'GET',
				path: [kind.path, value],
				subject: recordSubject(kind, value),
			});
			return [simplify(record)];
		},
	};
}
