import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultSpec, Sandbox, SandboxOptions } from '../../simulators/supercast';
import { isDeep, PACE, shareOf } from './deep';
import { runSupercast } from '../harness/engine';
import { useQuickRuntime } from './quickRuntime';
import { credentialOf, useSandbox, type TestSandbox } from './sandbox';

const SEEDS = isDeep ? [1, 2, 3, 4, 5] : PACE > 1 ? [2, 3, 4] : [1];
/** The share of requests that meet a fault, and the number of items of a run. */
const SHARE = 0.2;
const ITEMS = 12;

/** Faults that apply together, each to its part of the share. */
const FAULTS: Array<[string, FaultSpec[]]> = [
	[
		'502, 503, 504 or a web page',
		[
			{ kind: 'status', status: 502 },
			{ kind: 'status', status: 503 },
			{ kind: 'status', status: 504 },
			{ kind: 'html', status: 502 },
		],
	],
	['a connection that is reset', [{ kind: 'reset' }]],
	['an answer that never comes', [{ kind: 'stall', stallMs: 10_000 }]],
	['an answer that is cut off', [{ kind: 'truncated' }]],
	// The node retries three times after a response that did not come from the API, and no more.
	['a web page of a gateway that says 200', [{ kind: 'html', status: 200, times: 3 }]],
	['an error that says 200', [{ kind: 'status', status: 200, times: 3 }]],
];

type Fault = [string, FaultSpec['when'], FaultSpec[]];

const both: Fault[] = [
	...FAULTS.map(([name, faults]): Fault => [name, 'before', faults]),
	...FAULTS.map(([name, faults]): Fault => [name, 'after', faults]),
	['a stray 429', 'before', [{ kind: 'status', status: 429 }]],
	// The senders of these did not pass the request on to Supercast.
	['a web page that says 403', 'before', [{ kind: 'html', status: 403, times: 1 }]],
	['a web page that says 404', 'before', [{ kind: 'html', status: 404, times: 2 }]],
	['a CDN without a connection', 'before', [{ kind: 'status', status: 521 }]],
];

/** Undocumented behavior that Supercast may show all the time. */
const HABITS: Array<[string, SandboxOptions]> = [
	['shows a new record later', { visibleAfterMs: 50 * PACE }],
	['wraps its records', { wrapRecords: 'name' }],
	['wraps its lists in their name', { wrapLists: 'name' }],
	['wraps its lists in data', { wrapLists: 'data' }],
	['wraps each record of a list', { wrapLists: 'each' }],
	['answers changes with nothing', { writeBodies: false }],
	['refuses a second record with 409', { onExistingEmail: 'conflict' }],
];

/** In `npm test`, a create meets all that was processed, because it must never be doubled. */
function isOwn(name: keyof typeof CASES): (fault: Fault) => boolean {
	const share = shareOf(both, Object.keys(CASES).indexOf(name), 3);
	return (fault) => share.includes(fault) || (name === 'create' && fault[1] === 'after');
}

/** The run of each operation, and its items. */
interface Case {
	parameters: INodeParameters;
	items: (sandbox: Sandbox) => IDataObject[];
	/** The fields of every output. A response without a record leads to fewer fields. */
	output?: (json: IDataObject) => IDataObject;
}

const emails = ({ state }: Sandbox): string[] => state.subscribers.map(({ email }) => email);
const known = (from: Sandbox): IDataObject[] =>
	emails(from)
		.slice(0, ITEMS)
		.map((email) => ({ email }));
const fresh = (): IDataObject[] =>
	Array.from({ length: ITEMS }, (_, n) => ({ email: `new.${n}@example.com` }));
const subscriber = { __rl: true, mode: 'email', value: '={{ $json.email }}' };
const email = '={{ $json.email }}';
const names = { firstName: '=F {{ $json.email }}' };

const CASES = {
	create: {
		parameters: { resource: 'subscriber', operation: 'create', email, additionalFields: names },
		items: fresh,
	},
	upsert: {
		parameters: {
			resource: 'subscriber',
			operation: 'upsert',
			email,
			additionalFields: names,
			options: {},
		},
		items: (from) => [...fresh().slice(ITEMS / 2), ...known(from).slice(ITEMS / 2)],
	},
	delete: {
		parameters: { resource: 'subscriber', operation: 'delete', subscriber, options: {} },
		items: known,
	},
	change: {
		parameters: { resource: 'subscriber', operation: 'update', subscriber, updateFields: names },
		items: known,
	},
	suspend: {
		parameters: { resource: 'feed', operation: 'suspend', subscriber },
		items: known,
		output: ({ email: own, subscriber_email: ofFeed, state }) => ({ email: own ?? ofFeed, state }),
	},
	read: {
		parameters: { resource: 'subscriber', operation: 'get', subscriber, simplify: true },
		items: known,
	},
	list: {
		parameters: { resource: 'subscriber', operation: 'getAll', returnAll: true, simplify: true },
		items: () => [{}, {}],
	},
} satisfies Record<string, Case>;

/** Values that the sandbox makes up, so they differ between two runs. */
const OWN = ['id', 'uuid', 'feed_token', 'feed_url', 'feed_urls', 'created_at', 'updated_at'];

function withoutOwn(record: object): object {
	return Object.fromEntries(Object.entries(record).filter(([key]) => !OWN.includes(key)));
}

function statesOf({ state }: Sandbox): string[] {
	return state.subscribers.map((one) => JSON.stringify(withoutOwn(one))).sort();
}

/** Runs a case from the seeded state. Returns the output and the final state of the sandbox. */
async function runCase(
	sandbox: TestSandbox,
	{ parameters, items, output: outputOf = (json) => json }: Case,
	faults: FaultSpec[] = [],
) {
	sandbox.reset();
	const { current } = sandbox;
	current.controls.addFaults(faults);
	const { output, error } = await runSupercast({
		parameters,
		credential: credentialOf(current),
		items: items(current),
	});
	const hits = current.state.requests.filter(({ fault }) => fault !== undefined).length;
	const keys = current.state.requests.map(({ method, headers, path, body }) => ({
		what: `${method} ${path} ${JSON.stringify(body)}`,
		key: headers['idempotency-key'],
	}));
	return {
		error: error?.message,
		output: output.map(({ json, pairedItem }) => ({
			json: withoutOwn(outputOf(json)),
			pairedItem,
		})),
		subscribers: statesOf(current),
		hits,
		keys,
	};
}

/** A sandbox on which a request that is sent twice shows, with short waits. */
export function useFaultySandbox(): TestSandbox {
	// A hundredth of the real waits: 5 s at Supercast are 50 ms here.
	useQuickRuntime({
		backoffMs: 5 * PACE,
		timeoutMs: 80 * PACE,
		visibleMs: 60 * PACE,
		lateMs: 300 * PACE,
		windowMs: 600 * PACE,
	});
	// Duplicates must be allowed here. Otherwise a create that is sent twice would not show.
	return useSandbox({ onExistingEmail: 'duplicate', subscribers: 20, perPageMax: 5 });
}

/** Tests some of the operations. Each file has a part of them, since they mostly wait. */
export function testFaults(sandbox: TestSandbox, cases: Array<keyof typeof CASES>): void {
	describe.each(cases)('%s', (name) => {
		const given: Case = CASES[name];
		let wanted: Awaited<ReturnType<typeof runCase>>;
		beforeAll(async () => {
			wanted = await runCase(sandbox, given);
			expect(wanted.error).toBeUndefined();
		});

		it.each(both.filter(isOwn(name)))(
			'has the same result as without faults when one request in five meets %s, %s it was processed',
			async (_, when, faults) => {
				let hits = 0;
				for (const seed of SEEDS) {
					const share = SHARE / faults.length;
					const struck = faults.map((fault, n) => ({ ...fault, when, share, seed: 10 * seed + n }));
					const ended = await runCase(sandbox, given, struck);
					expect(ended.error).toBeUndefined();
					expect(ended.subscribers).toEqual(wanted.subscribers);
					expect(ended.output).toEqual(wanted.output);
					hits += ended.hits;
				}
				expect(hits).toBeGreaterThan(0);
			},
		);

		it.each(shareOf(HABITS, Object.keys(CASES).indexOf(name), 2))(
			'has the same result as with another server when Supercast %s, and breaks',
			async (_, habits) => {
				const { controls } = sandbox.current;
				const before = { ...controls.changeSettings({}) };
				controls.changeSettings(habits);
				try {
					for (const seed of SEEDS) {
						const ended = await runCase(sandbox, given, [
							{ kind: 'reset', when: 'after', share: SHARE, seed },
						]);
						expect(ended.error).toBeUndefined();
						expect(ended.subscribers).toEqual(wanted.subscribers);
					}
				} finally {
					controls.changeSettings(before);
				}
			},
		);

		it('has the same result as without faults when a gateway abandons changes that are made later', async () => {
			// After the node has looked for it.
			const lateMs = 100 * PACE;
			const late = ['POST', 'PATCH', 'DELETE'].map((method): FaultSpec => ({
				...{ kind: 'html', status: 504, method, share: 1 / 3, lateMs },
			}));
			const ended = await runCase(sandbox, given, late);
			await new Promise((resolve) => setTimeout(resolve, lateMs));
			expect(ended.error).toBeUndefined();
			expect(statesOf(sandbox.current)).toEqual(wanted.subscribers);
			expect(ended.output).toEqual(wanted.output);
			expect(ended.hits > 0).toBe(!['read', 'list'].includes(name));
		});

		it('sends the same key with every retry of one item, and another key for each other item', async () => {
			const { keys } = await runCase(sandbox, given, [
				{ kind: 'reset', when: 'after', share: 0.4, seed: 4 },
			]);
			const sent = keys.filter(({ what }) => /^(POST|DELETE)/.test(what));
			const items = new Set(sent.map(({ what }) => what));
			expect(new Set(sent.map(({ what, key }) => `${what} ${String(key)}`)).size).toBe(items.size);
			expect(new Set(sent.map(({ key }) => key)).size).toBe(items.size);
			if (name === 'delete') expect(sent.length).toBeGreaterThan(ITEMS);
		});
	});
}
