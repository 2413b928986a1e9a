import type { WorkflowNode } from '../../harness/n8n/setup';
import { all } from './fixture';
import { filledIn, quick } from './tries';

/**
 * What a person does in `tell-members.json`: enables the email, and enters the sender's address. The
 * polls are faster, and a refused email waits for some seconds.
 */
export function tellMembers(seconds: number | string, tries = 5): (node: WorkflowNode) => void {
	return all(
		quick(tries),
		filledIn({ 'Send Email': { fromEmail: 'podcast@example.com' } }),
		(node) => {
			if (node.name !== 'Try Again Later') return;
			Object.assign(node.parameters, { amount: seconds, unit: 'seconds' });
		},
	);
}
