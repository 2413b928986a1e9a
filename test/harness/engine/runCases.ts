/**
 * Runs the cases of the engine tests. The documentation pages and the schemas are made from their
 * results.
 */

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { createSandbox, type Sandbox } from '../../../simulators/supercast';
import { cases, listCases, type OperationCase } from './cases';
import { renewCredentialId } from './credentialsHelper';
import { runSupercast, type RunResult } from './index';

const EPOCH = Date.UTC(2026, 0, 15, 9, 0, 0);

/** A sandbox in which every run starts in the same way. */
export async function openSandbox(): Promise<Sandbox> {
	return await createSandbox({ rateLimit: 0, now: () => EPOCH });
}

/** How to run an operation. */
export function caseOf(resource: string, operation: string): OperationCase {
	return operation === 'sync'
		? listCases.subscriber.sync
		: cases[resource as 'channel'][operation as 'get'];
}

/** Sets the sandbox to the initial state of a case. */
export async function startAgain(tried: OperationCase, sandbox: Sandbox): Promise<void> {
	sandbox.reset();
	renewCredentialId();
	await tried.prepare?.(sandbox);
}

/**
 * What to run: an operation on one item, with the parameters of its case and optional additional
 * ones.
 */
export interface CaseRun {
	resource: string;
	operation: string;
	item: IDataObject;
	more?: INodeParameters;
}

/** Runs a case on n8n's engine, against the sandbox. */
export async function runCase(
	sandbox: Sandbox,
	{ resource, operation, item, more = {} }: CaseRun,
): Promise<RunResult> {
	const { accessToken, baseUrl } = sandbox;
	const { parameters } = caseOf(resource, operation);
	return await runSupercast({
		parameters: { resource, operation, ...parameters, ...more },
		credential: { accessToken, baseUrl, requestsPerMinute: 0 },
		items: [item],
	});
}
