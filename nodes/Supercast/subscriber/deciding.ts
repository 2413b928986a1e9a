import { keysOf } from '../api/identity';
import type { Operation } from '../operations/types';

/**
 * Makes an operation note whose access it has decided, so that a Sync with an older list does not
 * undo it (decision 0014). If the operation fails, it only notes that something may have changed.
 */
export function deciding(operation: Operation): Operation {
	return {
		...operation,
		prepare: (item) => {
			const task = operation.prepare(item);
			const names = [task.record ?? []].flat();
			// The name may be an email, a UUID or a customer ID.
			const keys = names.flatMap((name) => keysOf({ email: name, customerIds: [name] }));
			return {
				...task,
				run: async (client, addHint) => {
					const arrival = client.decisions.arrive();
					const items = await task.run(client, addHint).catch((error: unknown) => {
						client.decisions.note(keys);
						throw error;
					});
					client.decisions.note(keys, arrival);
					return items;
				},
			};
		},
	};
}
