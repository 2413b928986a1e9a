import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createSandbox } from '../../sandbox';
import { TriggerServer } from '../support/triggerServer';

const ORDERS = ['newest', 'oldest', 'unordered'] as const;
const SIZES = [0, 100, 1_000, 10_000];

interface Cost {
	quiet: number;
	oneNew: number;
}

/** Requests of a poll on a list of a million seconds' age, by n8n's poll context and over HTTP. */
async function measure(order: (typeof ORDERS)[number], subscribers: number): Promise<Cost> {
	const sandbox = await createSandbox({ order, subscribers, usageAlerts: 0, rateLimit: 0 });
	try {
		const server = new TriggerServer(sandbox, { parameters: { event: 'subscriberCreated' } });
		await server.activate();
		const requestsOf = async (found: number): Promise<number> => {
			const before = sandbox.stats().requests;
			expect((await server.poll()) ?? []).toHaveLength(found);
			return sandbox.stats().requests - before;
		};
		const quiet = await requestsOf(0);
		sandbox.controls.addRecords('subscribers', 1);
		return { quiet, oneNew: await requestsOf(1) };
	} finally {
		await sandbox.close();
	}
}

it('costs what the table in docs/trigger-internals.md says', async () => {
	const docs = readFileSync(join(__dirname, '..', '..', 'docs', 'trigger-internals.md'), 'utf8');
	const rows: string[] = [];
	for (const order of ORDERS) {
		for (const size of SIZES) {
			const { quiet, oneNew } = await measure(order, size);
			rows.push([order, size.toLocaleString('en'), quiet, oneNew].join(' | '));
		}
	}
	const table = docs
		.split('\n')
		.map((line) => line.split('|').map((cell) => cell.trim()))
		.filter(([, order = '']) => ORDERS.some((known) => known === order))
		.map((cells) => cells.slice(1, -1).join(' | '));
	expect(table).toEqual(rows);
}, 120_000);
