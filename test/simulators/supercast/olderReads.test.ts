import { ask, fetchAnswer, useSandboxes } from './helpers';

const start = useSandboxes();

describe('the switch staleForMs', () => {
	it('shows a changed subscriber as before, alone, as a feed and on the list', async () => {
		let time = Date.UTC(2026, 0, 1);
		const sandbox = await start({ staleForMs: 500, now: () => time });
		const { uuid } = sandbox.state.subscribers[0]!;
		const body = { feed_token: { state: 'inactive' } };
		await ask(sandbox, `/feeds/${uuid}`, { method: 'PATCH', body });
		const states = async (): Promise<unknown[]> => {
			const one = await ask(sandbox, `/subscribers/${uuid}`);
			const feed = await ask(sandbox, `/feeds/${uuid}`);
			const list = await ask(sandbox, '/subscribers');
			const [first] = list.body as unknown as Array<{ state: string }>;
			return [one, feed]
				.map((answer) => (answer.body as { state: string }).state)
				.concat(first!.state);
		};
		expect(await states()).toEqual(['available', 'available', 'available']);
		time += 500;
		expect(await states()).toEqual(['deactivated', 'inactive', 'deactivated']);
	});

	it('shows a deleted subscriber for a while', async () => {
		let time = Date.UTC(2026, 0, 1);
		const sandbox = await start({ staleForMs: 500, now: () => time });
		const { email } = sandbox.state.subscribers[0]!;
		await ask(sandbox, `/subscribers/${email}`, { method: 'DELETE' });
		const seen = async (): Promise<unknown[]> => {
			const { status } = await ask(sandbox, `/subscribers/${email}`);
			return [status, ((await ask(sandbox, '/subscribers')).body as unknown as unknown[]).length];
		};
		expect(await seen()).toEqual([200, 25]);
		time += 500;
		expect(await seen()).toEqual([404, 24]);
	});
});

it.each([
	['all', ['deactivated', 'deactivated']],
	['first', ['deactivated', 'available']],
] as const)(
	'a change of a feed concerns %s of several subscriptions',
	async (feedChanges, states) => {
		const sandbox = await start({ feedChanges });
		const { uuid } = sandbox.state.subscribers[0]!;
		await fetchAnswer(`${sandbox.origin}/_sandbox/subscriptions`, {
			body: { subscriber: uuid, states: ['available'] },
		});
		const body = { feed_token: { state: 'inactive' } };
		await ask(sandbox, `/feeds/${uuid}`, { method: 'PATCH', body });
		const { body: shown } = await ask(sandbox, `/subscribers/${uuid}`);
		const { state, subscriptions } = shown as {
			state: string;
			subscriptions: Array<{ state: string }>;
		};
		expect([state, subscriptions.map((one) => one.state)]).toEqual(['deactivated', states]);
	},
);
