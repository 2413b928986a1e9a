import type { IDataObject } from 'n8n-workflow';

import { listRecords } from '../api/records';

import { listSubject, type RecordKind, type Simplifiable } from './recordKind';
import { listProperties, simplifier, simplifyProperties, wantedCount } from './properties';
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
		prepare: (item) => {
			const count = wantedCount(item);
			const simplify = simplifier(kind, item);
			const list = { method: 'GET', path: [kind.path], subject: listSubject(kind) } as const;
			return {
				run: async (client) => {
					const records: IDataObject[] = [];
					for await (const page of listRecords(client, list, count)) {
						for (const record of page) records.push(simplify(record));
					}
					return records;
				},
			};
		},
	};
}
