/** How long the nodes of a member workflow take, and how long n8n can do nothing else. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Subscriber } from '../../simulators/supercast';
import { root } from '../harness/system/paths';
import { nodeTimesOf, type NodeTime } from '../e2e/workflows/executionItems';
import { ready, startFixture, type Fixture } from '../e2e/workflows/fixture';
import { watchMemory } from './memory';

/** The trigger of a run of Sync. */
const START = 'Every 5 Minutes';
const NOTED = join(root, 'test', 'measure', 'blocks.cjs');

/** What was measured in one run, in milliseconds. */
interface Run {
	/** All nodes together, without those that wait for a server. */
	nodesMs: number;
	/** The longest time during which n8n did nothing else. */
	longestBlockMs: number;
	nodes: Record<string, number>;
}

/** What was measured with one file. */
export interface NodesOutcome {
	file: string;
	members: number;
	status: string;
	memoryMb: number;
	runs: Run[];
}

/** Measures runs by hand of a file with Stripe's subscriptions, if nothing changes. */
export async function measureNodes(
	file: string,
	members: number,
	runs: number,
): Promise<NodesOutcome> {
	const folder = mkdtempSync(join(tmpdir(), 'blocks-'));
	const noted = join(folder, 'blocks');
	const fixture = await startFixture(
		{ rateLimit: 0, subscribers: 0 },
		{ NODE_OPTIONS: `--require ${NOTED}`, BLOCKS_FILE: noted },
	);
	try {
		addMembers(fixture, members);
		const id = await fixture.use(file, ready({ closeAfter: 2 }));
		const memory = watchMemory(() => [fixture.pid()]);
		const measured: Run[] = [];
		let status = '';
		while (measured.length < runs) {
			// n8n answers no request while it is blocked.
			await fixture.run(id, START).catch(() => undefined);
			status = await endOf(fixture, id);
			measured.push(await look(fixture, id, noted));
		}
		return { file, members, status, memoryMb: memory(), runs: measured };
	} finally {
		await fixture.stop();
		rmSync(folder, { recursive: true });
	}
}

async function endOf(fixture: Fixture, id: string): Promise<string> {
	for (;;) {
		const [last] = await fixture.executions(id).catch(() => []);
		if (last !== undefined && !['new', 'running', 'waiting'].includes(last.status))
			return last.status;
		await sleep(1000);
	}
}

async function look(fixture: Fixture, id: string, noted: string): Promise<Run> {
	const [last] = await fixture.executions(id);
	const path = `/executions/${last?.id ?? ''}`;
	const times = nodeTimesOf(await fixture.environment.client.request('GET', path));
	const own = times.filter(({ name }) => !name.startsWith('Read '));
	return {
		nodesMs: own.reduce((sum, { ms }) => sum + ms, 0),
		longestBlockMs: longestBlock(`${noted}.${fixture.pid()}`, times),
		nodes: Object.fromEntries(times.map(({ name, ms }) => [name, ms])),
	};
}

/** What happens before the first node and after the last one depends on n8n alone. */
function longestBlock(file: string, times: NodeTime[]): number {
	if (!existsSync(file)) return 0;
	const [from, to] = [
		Math.min(...times.map(({ at }) => at)),
		Math.max(...times.map(({ at, ms }) => at + ms)),
	];
	const blocks = readFileSync(file, 'utf8')
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as { at: number; ms: number });
	return Math.max(
		0,
		...blocks.filter(({ at, ms }) => at + ms > from && at < to).map(({ ms }) => ms),
	);
}

/** Adds members who joined long ago. They pay at Stripe, and their feeds are open. */
function addMembers({ sandbox, senders }: Fixture, count: number): void {
	const old = '2025-06-01T00:00:00.000Z';
	for (const one of sandbox.controls.addRecords('subscribers', count) as Subscriber[]) {
		const subscription = senders.stripe.join(one.email, `${one.first_name} ${one.last_name}`);
		subscription.created = Date.parse(old);
		Object.assign(one, { customer_id: subscription.customer.id, state: 'available' });
		Object.assign(one, { plan_id: null, plan_name: null, created_at: old, updated_at: old });
	}
}
