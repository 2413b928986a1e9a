import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox, Subscriber } from '../../simulators/supercast';
import { runSupercast, type RunOptions, type RunResult } from '../harness/engine';
import { credentialOf } from './sandbox';

export { addMembers } from './addMembers';

/** A list in the form of a membership system. */
export function memberListOf(rows: readonly Subscriber[]): IDataObject[] {
	return rows.map(({ email, customer_id: id }) => ({ email, id }));
}

/** Runs a Sync on n8n's engine. It is a real run that closes after one list, unless the parameters differ. */
export async function runSync(
	sandbox: Sandbox,
	items: IDataObject[],
	parameters: INodeParameters = {},
	options: Partial<RunOptions> = {},
): Promise<RunResult> {
	return await runSupercast({
		parameters: {
			resource: 'subscriber',
			operation: 'sync',
			...{ dryRun: false, access: "={{ $json.access || 'open' }}", customerIdPrefix: 'c-' },
			...{ customerId: '={{ $json.id }}', status: '={{ $json.status }}' },
			...parameters,
			options: { closeAfter: 1, ...(parameters.options as INodeParameters) },
		},
		credential: credentialOf(sandbox),
		items,
		...options,
	});
}

/** How the tests of Set Access set its parameters: each item says whom it is about. */
export const SET_ACCESS: INodeParameters = {
	resource: 'subscriber',
	operation: 'setAccess',
	access: '={{ $json.access }}',
	email: '={{ $json.email }}',
	customerId: '={{ $json.id }}',
};

/** Runs Set Access on n8n's engine. */
export async function runSetAccess(
	sandbox: Sandbox,
	items: IDataObject[],
	options: Partial<RunOptions> = {},
): Promise<RunResult> {
	const credential = credentialOf(sandbox);
	return await runSupercast({ parameters: SET_ACCESS, credential, items, ...options });
}

/** An item of Set Access about a subscriber. */
export function accessItem(access: string, { email, customer_id: id }: Subscriber): IDataObject {
	return { access, email, id };
}

/** What a run did about each item. */
export function actionsOf({ output }: RunResult): unknown[] {
	return output.map(({ json }) => json.action);
}

/** The changes that the sandbox received. */
export function writesOf(sandbox: Sandbox): string[] {
	return sandbox.state.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path }) => `${method} ${path}`);
}

/** What the editor says about the run. */
export function hintsOf({ run }: RunResult): string {
	const [task] = run.data.resultData.runData.Supercast ?? [];
	return (task?.hints ?? []).map(({ message }) => message).join('\n');
}
