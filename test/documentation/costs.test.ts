import type { INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { runSupercast } from '../../harness/engine';
import { credentialOf, useSandbox } from '../support/sandbox';

const limits = readFileSync(join(__dirname, '../../docs/limits.md'), 'utf8');
const sandbox = useSandbox({ subscribers: 250, perPageMax: 100 });

/** The cell of the table that says how many requests something takes. */
function cell(label: string): string {
	const row = limits.split('\n').find((line) => line.startsWith(`| ${label} `));
	return row?.split('|')[2]?.trim() ?? '';
}

/** How many requests a subscriber operation sends. */
async function requestsOf(operation: string, parameters: INodeParameters): Promise<number> {
	const { error } = await runSupercast({
		parameters: { resource: 'subscriber', operation, ...parameters },
		credential: credentialOf(sandbox.current),
	});
	expect(error).toBeUndefined();
	return sandbox.current.stats().requests;
}

const member = () => sandbox.current.state.subscribers[0]!;
const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
const options = { reactivate: true };

describe('the table of costs on the page Limits', () => {
	it.each<[string, string, () => INodeParameters]>([
		['Most operations', 'get', () => ({ subscriber: locator('email', member().email) })],
		['Get Many', 'getAll', () => ({ returnAll: true })],
		[
			'Get Many with filters',
			'getAll',
			() => ({ returnAll: true, filters: { state: ['available'] } }),
		],
		['Create or Update, nothing to change', 'upsert', () => ({ email: member().email })],
		['Create or Update, new member', 'upsert', () => ({ email: 'new@example.com' })],
		[
			'Create or Update, changed fields',
			'upsert',
			() => ({ email: member().email, additionalFields: { firstName: 'Nora' } }),
		],
		[
			'Create or Update, returning member with changed fields',
			'upsert',
			() => {
				sandbox.current.controls.setState(member().email, 'deactivated');
				return { email: member().email, additionalFields: { firstName: 'Nora' }, options };
			},
		],
		[
			'If Missing: Succeed, for a missing subscriber',
			'delete',
			() => ({
				subscriber: locator('email', 'nobody@example.com'),
				options: { ifMissing: 'succeed' },
			}),
		],
	])('%s', async (label, operation, parameters) => {
		const requests = await requestsOf(operation, parameters());
		if (operation === 'getAll')
			expect([requests, cell(label)]).toEqual([3, expect.stringMatching(/^1 per page/)]);
		else expect(cell(label)).toMatch(new RegExp(`^${requests}\\b`));
	});

	it('says that filters read further than the limit', async () => {
		const filters = { customerId: 'nobody' };
		const some = await requestsOf('getAll', { returnAll: false, limit: 1, filters });
		expect(some).toBe(3);
		expect(cell('Get Many with filters')).toMatch(/\*\*Limit\*\*/);
	});
});
