import { removal } from './removal';
import { recordSubject, type NamedRecordKind } from './recordKind';
import type { Operation } from './types';

/** Builds the operation that deletes one record. */
export function deleteOperation(
	kind: NamedRecordKind,
	texts: Pick<Operation, 'action' | 'description' | 'notice'>,
): Operation {
	return {
		name: 'Delete',
		notice: 'This cannot be undone.',
		...texts,
		properties: [kind.locator],
		prepare: (item) => {
			const { key, value, resolve } = kind.identify(item);
			return {
				record: value,
				run: async (client) => {
					await removal(client, kind, {
						method: 'DELETE',
						path: [kind.path, await resolve(client)],
						subject: recordSubject(kind, value),
					});
					return [{ deleted: true, [key]: value }];
				},
			};
		},
	};
}
