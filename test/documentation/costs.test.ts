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

	const access = (email: string, more: INodeParameters = {}): INodeParameters => ({
		access: 'open',
		email,
		...more,
	});

	it.each<[string, () => INodeParameters]>([
		['nothing to change', () => access(member().email)],
		['any change by email', () => access('new@example.com')],
		[
			'any change by email',
			() => {
				sandbox.current.controls.setState(member().email, 'deactivated');
				const additionalFields = { firstName: 'Nora' };
				return access(member().email, { additionalFields, options: { closeWithPlan: true } });
			},
		],
		[
			'any change by email',
			() => access(member().email, { access: 'close', options: { closeWithPlan: true } }),
		],
	])('Set Access, %s', async (label, parameters) => {
		const requests = await requestsOf('setAccess', parameters());
		const [least, most = least] = cell(`Set Access, ${label}`).match(/\d+/g)!.map(Number);
		expect(requests).toBeGreaterThanOrEqual(least!);
		expect(requests).toBeLessThanOrEqual(most!);
	});

	it('Subscriber: Sync, for a new member and a returning one with changed fields', async () => {
		sandbox.current.controls.setState(member().email, 'deactivated');
		const list = { dryRun: false, close: 'none', options: { closeWithPlan: true } };
		const added = await requestsOf('sync', { ...list, email: 'new@example.com' });
		const additionalFields = { firstName: 'Nora' };
		const before = sandbox.current.stats().requests;
		const all = await requestsOf('sync', { ...list, email: member().email, additionalFields });
		const [least, most] = cell('Subscriber: Sync').match(/\d+/g)!.map(Number);
		expect([added - 3, all - before - 3]).toEqual([2, most]);
		expect(least).toBe(1);
	});

	it('Subscriber: Sync, for new members after the first 20', async () => {
		const parameters = { dryRun: false, close: 'none', email: '={{ $json.email }}' };
		const items = Array.from({ length: 120 }, (_, n) => ({ email: `new.${n}@example.com` }));
		const { error } = await runSupercast({
			parameters: { resource: 'subscriber', operation: 'sync', ...parameters },
			credential: credentialOf(sandbox.current),
			items,
		});
		expect(error).toBeUndefined();
		const [each, every] = cell('Subscriber: Sync, new members after the first 20')
			.match(/\d+/g)!
			.map(Number);
		expect(sandbox.current.stats().requests).toBe(3 + 20 * 2 + 100 * each! + 100 / 50);
		expect(every).toBe(1);
	});

	it('says that filters read further than the limit', async () => {
		const filters = { customerId: 'nobody' };
		const some = await requestsOf('getAll', { returnAll: false, limit: 1, filters });
		expect(some).toBe(3);
		expect(cell('Get Many with filters')).toMatch(/\*\*Limit\*\*/);
	});
});
