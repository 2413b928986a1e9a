import type { IDataObject } from 'n8n-workflow';
import { listProperties, wantedCount } from './properties';
import { listRecords } from '../api/records';
import { listSubject, type RecordKind, type Simplifiable } from './recordKind';
import { simplifier, simplifyProperties } from './simplify';
import type { Operation } from './types';

/** Makes the operation that reads a list. */
export function getManyOperation(
	kind: RecordKind & Partial<Simplifiable>,
	texts: Pick<Operation, 'action' | 'description'>,
): Operation {
	return {
		name: 'Get Many',
		...texts,
		properties: [...listProperties, ...simplifyProperties(kind)],
		execute: async (item) => {
			const request = {
				method: 'GET',
				path: [kind.path],
				subject: listSubject(kind),
			} as const;
			const simplify = simplifier(kind, item);
			const records: IDataObject[] = [];
			for await (const page of listRecords(item.client, request, wantedCount(item))) {
				for (const record of page) records.push(simplify(record));
			}
			return records;
		},
	};
}
