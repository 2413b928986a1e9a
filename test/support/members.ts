import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox, Subscriber } from '../../simulators/supercast';
import { runSupercast, type RunOptions, type RunResult } from '../harness/engine';
import { credentialOf } from './sandbox';

/** Members were added from outside long ago, have a customer ID, and no plan at Supercast. */
const MEMBER: Partial<Subscriber> = {
	created_at: '2025-06-01T00:00:00.000Z',
	updated_at: '2025-06-01T00:00:00.000Z',
	plan_id: null,
	plan_name: null,
	plan_price_cents: null,
	plan_price_currency: null,
};

/** Adds subscribers to the sandbox. `fields` gives the fields for each number. */
export function addMembers(
	sandbox: Sandbox,
	count: number,
	fields: (index: number) => Partial<Subscriber> = () => ({}),
): Subscriber[] {
	const rows = sandbox.controls.addRecords('subscribers', count) as Subscriber[];
	for (const [index, row] of rows.entries()) {
		Object.assign(row, MEMBER, { customer_id: `c-${row.id}`, first_name: 'Ann' });
		Object.assign(row, fields(index));
	}
	return rows;
}

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
			dryRun: false,
			customerId: '={{ $json.id }}',
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
