import type { OperationCase } from './shared';
import { malformed, found, newPeople } from './shared';

/** A case for every operation that takes all input items as one list. */
export const listCases: Record<'subscriber', Record<'sync', OperationCase>> = {
	subscriber: {
		sync: {
			parameters: {
				...{ dryRun: false, email: '={{ $json.email }}', close: 'none' },
				additionalFields: { firstName: 'Ann' },
			},
			items: newPeople,
			failing: malformed,
			witness: found,
			after: () => true,
			output: ({ email }) => ({ action: 'created', email }),
		},
	},
};
