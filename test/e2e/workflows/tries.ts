import type { WorkflowNode } from '../../harness/n8n/setup';
import { everyFiveSeconds } from '../support/triggerInstance';
import { until } from './until';
import type { Fixture } from './fixture';

/**
 * Makes triggers poll every five seconds, and what failed wait for seconds instead of minutes. The
 * workflow gives up after so many later tries, where the files have five.
 */
export function quick(tries = 5): (node: WorkflowNode) => void {
	return (node) => {
		const { name, type, parameters } = node;
		if (type.endsWith('supercastTrigger')) parameters.pollTimes = { item: everyFiveSeconds };
		if (node.retryOnFail === true) node.waitBetweenTries = 100;
		if (name === 'Try Again Later')
			Object.assign(parameters, { unit: 'seconds', amount: '={{ $runIndex < 5 ? 2 : 0 }}' });
		const text = JSON.stringify(parameters);
		if (text.includes('$runIndex < 5 ||') || text.includes('$runIndex < 5 &&'))
			node.parameters = JSON.parse(
				text.replace('$runIndex < 5', `$runIndex < ${tries}`),
			) as object as typeof parameters;
	};
}

/** What a person does: fills in a node, and enables it. */
export function filledIn(
	values: Record<string, Record<string, unknown>>,
): (node: WorkflowNode) => void {
	return (node) => {
		const own = values[node.name];
		if (own === undefined) return;
		node.disabled = false;
		Object.assign(node.parameters, own);
	};
}

/** Waits until an execution has failed, and returns what it says. */
export async function failure(fixture: Fixture, id: string, patienceMs = 90_000): Promise<string> {
	let said: string[] = [];
	const isSaid = async () => (said = await fixture.failures(id)).length > 0;
	await until('an execution fails', isSaid, patienceMs);
	return said.join('\n');
}

/** Presses Retry for each execution that has failed. */
export async function retry(fixture: Fixture, id: string): Promise<void> {
	for (const { id: execution, status } of await fixture.executions(id)) {
		if (status !== 'error') continue;
		await fixture.environment.client.request('POST', `/executions/${execution}/retry`, {
			loadWorkflow: true,
		});
	}
}
