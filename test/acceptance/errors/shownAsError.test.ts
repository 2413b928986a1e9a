import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { describeFailure } from '../../../nodes/Supercast/api/errors/errors';
import type { RequestContext } from '../../../nodes/Supercast/api/http/send';
import type { ApiRequest } from '../../../nodes/Supercast/api/types';
import { toNodeError } from '../../../nodes/Supercast/execution/nodeErrors';
import { runSupercast, type RunResult } from '../../harness/engine';
import { isOldest } from '../../support/host';
import { addMembers, hintsOf, memberListOf, runSync, SET_ACCESS } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0 });
useQuickRuntime({ backoffMs: 1 });

const BY_STATUS: INodeParameters = {
	...{ access: 'byStatus', status: '={{ $json.status }}', openFor: 'active', closeFor: 'canceled' },
	...{ close: 'prefix', customerIdPrefix: 'c-', options: { closeAfter: 2 } },
};

/** In n8n 1.85, the server decides what a failed execution is called. */
const FAILED = isOldest() ? 'running' : 'error';

/** How n8n's own test judges an execution (n8n-core, WorkflowExecute). */
function statusOf({ run }: RunResult): string {
	return run.status;
}

describe('an error looks like an error in n8n', () => {
	it('although everyone on a list that Sync refuses is "canceled"', async () => {
		const members = addMembers(sandbox.current, 20, (index) => ({ customer_id: `c-a${index}` }));
		const list = memberListOf(members).map((row) => ({ ...row, status: 'canceled' }));
		const minutes = [0, 2].map((minute) => Date.now() - (9 - minute) * 60_000);
		for (const readAt of minutes) {
			await runSync(sandbox.current, list, { ...BY_STATUS, dryRun: true }, { readAt });
		}
		const stopped = await runSync(sandbox.current, list, {
			...BY_STATUS,
			options: { closeAfter: 1 },
		});
		expect(stopped.error?.message).toBe(
			'Sync stopped: 20 feeds would close, but the limit is 5 in 24 hours',
		);
		expect(statusOf(stopped)).toBe(FAILED);
	});

	it.each<[string, INodeParameters, IDataObject]>([
		[
			'an email of a record',
			{ ...BY_STATUS, operation: 'sync', dryRun: false, email: '={{ $json.email }}' },
			{ email: 'canceled@' },
		],
		[
			'a word in two lists',
			{ ...BY_STATUS, operation: 'sync', openFor: 'canceled' },
			{ email: 'a@a.com' },
		],
		['an email of an event', SET_ACCESS, { access: 'open', email: 'canceled@', id: 'c-1' }],
		[
			'an address that nobody has',
			{
				operation: 'get',
				subscriber: { __rl: true, mode: 'email', value: 'canceled@example.com' },
			},
			{},
		],
		['an email to create', { operation: 'create', email: 'canceled@' }, {}],
	])('although %s has the word', async (_, parameters, item) => {
		const failed = await runSupercast({
			parameters: { resource: 'subscriber', ...parameters },
			...{ credential: credentialOf(sandbox.current), items: [item] },
		});
		const { message = '', description = '' } = failed.error ?? {};
		expect(`${message} ${description}`).toMatch(/canceled/);
		expect(message).not.toContain('canceled');
		expect(message).toMatch(/\w/);
		expect(statusOf(failed)).toBe(FAILED);
	});

	it('although Supercast says it', async () => {
		sandbox.current.controls.addFaults({
			...{ kind: 'answer', status: 422, method: 'POST' },
			body: { errors: { email: ['of a canceled account'] } },
		});
		const failed = await runSupercast({
			parameters: { resource: 'subscriber', operation: 'create', email: 'a@a.com' },
			...{ credential: credentialOf(sandbox.current), items: [{}] },
		});
		expect(failed.error?.message).toMatch(/^Supercast did not accept the values .* …/);
		expect(failed.error?.description).toContain('of a canceled account');
		expect(statusOf(failed)).toBe(FAILED);
	});

	it('but the end of an execution that a person has stopped does not', () => {
		const request = {
			method: 'GET',
			subject: { text: 'subscriber', isRecord: true },
		} as ApiRequest;
		const stop = describeFailure({ kind: 'network', code: 'ERR_CANCELED' }, request);
		const node = { name: 'Supercast', type: 'test' };
		const error = toNodeError({ getNode: () => node } as RequestContext, stop);
		expect(error.message).toBe(
			'The request to Supercast was canceled while reading the subscriber',
		);
	});
});

describe('a hint shows words of others as they are', () => {
	const status = '<none>';
	const list = (): IDataObject[] => [
		...memberListOf(addMembers(sandbox.current, 3)).map((row) => ({ ...row, status: 'active' })),
		{
			email: 'odd@example.com',
			id: 'c-odd',
			status: `${status}<img src=x><a href="https://evil.com">x</a>`,
		},
	];

	it('of Sync', async () => {
		const hints = hintsOf(await runSync(sandbox.current, list(), { ...BY_STATUS, close: 'none' }));
		expect(hints).toContain('&lt;none&gt;&lt;img src=x&gt;&lt;a href="https://evil.com"&gt;');
		expect(hints).not.toMatch(/<\w/);
		expect(hints).not.toContain('&amp;lt;');
	});

	it('of Set Access, and of items that failed', async () => {
		const { credential, parameters } = {
			credential: credentialOf(sandbox.current),
			parameters: { ...SET_ACCESS, ...BY_STATUS, options: {} },
		};
		const unclear = await runSupercast({
			...{ credential, parameters, items: [{ email: 'a@a.com', status }] },
		});
		expect(hintsOf(unclear)).toContain('the status "&lt;none&gt;" is in no list');
		const failed = await runSupercast({
			...{ credential, parameters, onError: 'continueErrorOutput' },
			items: [{ email: '<b>a', status: 'active' }],
		});
		expect(hintsOf(failed)).toContain('"&lt;b&gt;a"');
		expect(hintsOf(failed)).not.toMatch(/<\w/);
	});
});
