import type { WorkflowNode } from '../../harness/n8n/setup';
import { everyFiveSeconds } from '../support/triggerInstance';

/**
 * What a person does in `tell-members.json`: enables the texts, and enters the sender's address. The
 * polls are faster, and a refused email waits for some seconds.
 */
export function tellMembers(seconds: number | string): (node: WorkflowNode) => void {
	return (node) => {
		if (node.name === 'Welcome' || node.name === 'Welcome Back') node.disabled = false;
		if (node.name === 'Send Email') {
			node.parameters.fromEmail = 'podcast@example.com';
			node.waitBetweenTries = 100;
		}
		if (node.type.endsWith('supercastTrigger'))
			node.parameters.pollTimes = { item: everyFiveSeconds };
		if (node.name === 'Wait') Object.assign(node.parameters, { amount: seconds, unit: 'seconds' });
	};
}
