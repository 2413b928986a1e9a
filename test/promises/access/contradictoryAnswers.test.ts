import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../sandbox/control/faults';
import { runSupercast } from '../../../harness/engine';
import { hintsOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();
useQuickRuntime({ backoffMs: 2, visibleMs: 10, lateMs: 20 });

const ann = () => sandbox.current.state.subscribers.find(({ state }) => state === 'available')!;
const byEmail = (value: string) => ({ __rl: true, mode: 'email', value });

async function run(parameters: INodeParameters) {
	return await runSupercast({ parameters, credential: credentialOf(sandbox.current) });
}

async function deactivate(options: INodeParameters = {}) {
	const subscriber = byEmail(ann().email);
	return await run({ resource: 'feed', operation: 'deactivate', subscriber, options });
}

function answer(path: string, body: unknown, more: Partial<Fault> = { share: 1 }): void {
	const fault = { kind: 'answer', method: 'PATCH', path, body, ...more };
	sandbox.current.controls.addFaults(fault as Fault);
}

describe('Feed: Deactivate', () => {
	it('is an error if Supercast keeps showing an open feed, and is sent twice', async () => {
		answer('/feeds', { state: 'available' });
		const { output, error } = await deactivate();
		expect(output).toEqual([]);
		expect(error?.message).toBe(
			`Supercast confirmed the change, but shows the state "available" while deactivating the feed of the subscriber "${ann().email}"`,
		);
		expect(sandbox.current.stats().byRoute['PATCH /feeds/:id']).toEqual({ '200': 2 });
	});

	it('is sent again if the first response shows an open feed', async () => {
		const { email } = ann();
		const feed = sandbox.current.state.feedUrl(email);
		answer('/feeds', { state: 'available' }, { times: 1 });
		const { error } = await deactivate();
		expect(error).toBeUndefined();
		expect(await feedStatus(feed)).not.toBe(200);
	});

	it('is done if only the responses are wrong, as the subscriber shows', async () => {
		const { email } = ann();
		answer('/feeds', { state: 'available' }, { share: 1, when: 'after' });
		const { error } = await deactivate();
		expect(error).toBeUndefined();
		expect(sandbox.current.state.subscriber(email)?.state).toBe('deactivated');
	});

	it.each([
		{ subscriber_email: 'bob@example.com', state: 'inactive' },
		{ email: 'bob@example.com', uuid: 'u-2', state: 'deactivated' },
		{ subscriber: { email: 'bob@example.com' }, state: 'inactive' },
	])('is an error if the response is about another person: %j', async (body) => {
		answer('/feeds', body);
		const { output, error } = await deactivate();
		expect(output).toEqual([]);
		expect(error?.message).toContain('shows the state "available" while deactivating');
	});

	it.each([{ state: 'inactive' }, { state: 'deactivated' }])(
		'is done with one request if the response shows it: %j',
		async (body) => {
			answer('/feeds', body);
			const { error } = await deactivate();
			expect(error).toBeUndefined();
			expect(sandbox.current.stats().requests).toBe(1);
		},
	);

	it.each(['error', 'succeed'])(
		'is an error if the feed is not found, although the subscriber exists (%s)',
		async (ifMissing) => {
			const fault = { kind: 'status', status: 404, path: '/feeds', share: 1 };
			sandbox.current.controls.addFaults(fault as Fault);
			const { output, error } = await deactivate({ ifMissing });
			expect(output).toEqual([]);
			expect(error?.message).toMatch(/although the subscriber .* exists|has no feed/);
		},
	);
});

it('Create or Update is an error if the feed stays closed', async () => {
	const { email } = ann();
	await deactivate();
	answer('/feeds', undefined);
	const { output, error } = await run({
		resource: 'subscriber',
		operation: 'upsert',
		email,
		options: { reactivate: true },
	});
	expect(output).toEqual([]);
	expect(error?.message).toContain('shows the state "deactivated" while reopening');
});

describe('a field that Supercast ignores', () => {
	it('is named in a hint of Update, which is sent twice', async () => {
		const { email, uuid, last_name: last } = ann();
		answer('/subscribers', { uuid, email, first_name: 'Old', last_name: last });
		const result = await run({
			resource: 'subscriber',
			operation: 'update',
			subscriber: byEmail(email),
			updateFields: { firstName: 'New' },
		});
		expect(result.error).toBeUndefined();
		expect(result.output[0]!.json).toMatchObject({ first_name: 'Old' });
		expect(hintsOf(result)).toContain("shows other values for 'first_name'");
		expect(sandbox.current.stats().byRoute['PATCH /subscribers/:id']).toEqual({ '200': 2 });
	});

	it('is an error of Update, if it is the email', async () => {
		const { email, uuid } = ann();
		answer('/subscribers', { uuid, email });
		const { output, error } = await run({
			resource: 'subscriber',
			operation: 'update',
			subscriber: byEmail(email),
			updateFields: { email: 'new@example.com' },
		});
		expect(output).toEqual([]);
		expect(error?.message).toContain('shows the old email while changing');
	});

	it('is named in a hint of Create', async () => {
		const fault = { kind: 'answer', method: 'POST', path: '/subscribers', times: 1 };
		const body = { uuid: 'u-1', email: 'new@example.com', first_name: 'Other' };
		sandbox.current.controls.addFaults({ ...fault, body } as Fault);
		const result = await run({
			resource: 'subscriber',
			operation: 'create',
			email: 'new@example.com',
			additionalFields: { firstName: 'New' },
		});
		expect(hintsOf(result)).toContain("shows other values for 'first_name'");
	});
});

it.each(['create', 'upsert'])(
	'%s shows whom it created, even if the response does not',
	async (operation) => {
		const fault = { kind: 'answer', method: 'POST', path: '/subscribers', times: 1, when: 'after' };
		sandbox.current.controls.addFaults({ ...fault, body: { status: 'created' } } as Fault);
		const { output, error } = await run({
			resource: 'subscriber',
			operation,
			email: 'new@example.com',
		});
		expect(error).toBeUndefined();
		expect(output[0]!.json).toMatchObject({
			email: 'new@example.com',
			feed_urls: [expect.stringContaining('/feeds/')],
		});
	},
);

it.each([
	['role', { name: 'Editor' }, { name: 'Editor' }],
	['creator', { email: 'new@example.com' }, { email: 'new@example.com' }],
])('Create of a %s finds what it created if the response does not show it', async (...tried) => {
	const [resource, parameters, expected] = tried;
	const fault = { kind: 'answer', method: 'POST', when: 'after', body: { ok: true }, times: 1 };
	sandbox.current.controls.addFaults(fault as Fault);
	const { output, error } = await run({ resource, operation: 'create', ...parameters });
	expect(error).toBeUndefined();
	expect(output[0]!.json).toMatchObject(expected);
});
