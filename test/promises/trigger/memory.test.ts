import { useSandbox } from '../../support/sandbox';
import {
	dismissAlert,
	idsOf,
	raiseAlertsIn,
	TriggerServer,
	type TriggerOptions,
} from '../../support/triggerServer';

const sandbox = useSandbox({ usageAlerts: 3, subscribers: 30 });

async function activated(options: TriggerOptions = {}): Promise<TriggerServer> {
	const server = new TriggerServer(sandbox.current, options);
	await server.activate();
	return server;
}

const raise = (count: number): unknown[] => raiseAlertsIn(sandbox.current, count);
const dismiss = async (id: unknown): Promise<void> => await dismissAlert(sandbox.current, id);

describe('memory', () => {
	it('survives a restart of any length', async () => {
		const server = await activated();
		const first = raise(1);
		await server.poll();
		server.restart();
		const second = raise(2);
		expect(idsOf(await server.activate())).toEqual(second);
		expect(idsOf(server.items)).toEqual([...first, ...second]);
	});

	it('after a crash before it was saved, announces some records twice and loses none', async () => {
		const server = await activated();
		const ids = raise(1);
		expect(idsOf(await server.poll('before save'))).toEqual(ids);
		server.restart();
		expect(idsOf(await server.activate())).toEqual(ids);
		expect(await server.poll()).toBeNull();
	});

	it('survives a new name of the node', async () => {
		const server = await activated();
		server.restart({ nodeName: 'Alerts' });
		const ids = raise(1);
		expect(idsOf(await server.activate())).toEqual(ids);
	});

	it('survives a new name of the node, and then the old one', async () => {
		const server = await activated();
		server.restart({ nodeName: 'B' });
		expect(await server.activate()).toBeNull();
		const ids = raise(3);
		expect(idsOf(await server.poll())).toEqual(ids);
		server.restart({ nodeName: 'Supercast Trigger' });
		expect(await server.activate()).toBeNull();
		const later = raise(2);
		server.restart({ nodeName: 'B', credentialId: '2' });
		expect(idsOf(await server.activate())).toEqual(later);
		server.restart({ nodeName: 'Supercast Trigger', credentialId: '1' });
		expect(await server.activate()).toBeNull();
		expect(idsOf(server.items)).toEqual([...ids, ...later]);
	});

	it('survives a slash at the end of the Base URL, with all alerts dismissed', async () => {
		const server = await activated();
		for (const id of [1, 2, 3]) await dismiss(id);
		const ids = raise(2);
		server.restart({ hasSlash: true });
		expect(idsOf(await server.activate())).toEqual(ids);
	});

	it('announces again what a crash may have kept from becoming an execution', async () => {
		const server = await activated();
		const ids = raise(2);
		await server.poll('before execution');
		server.restart({}, true);
		expect(idsOf(await server.activate())).toEqual(ids);
		server.restart();
		expect(await server.activate()).toBeNull();
		expect(idsOf(server.items)).toEqual(ids);
	});

	it("is under the node's id in the static data of the workflow, and nowhere else", async () => {
		const server = await activated();
		raise(1);
		await server.poll();
		expect(JSON.parse(server.saved)).toEqual({
			global: { supercastTrigger: { 'trigger usageAlertCreated': expect.anything() } },
			'node:Supercast Trigger': {},
		});
	});

	it('works if each poll starts from what n8n saved, and a quiet poll saves nothing', async () => {
		const server = await activated({ isDurable: true });
		await dismiss(1);
		expect(await server.poll()).toBeNull();
		const ids = raise(1);
		expect(idsOf(await server.poll())).toEqual(ids);
		const before = sandbox.current.stats().requests;
		for (let poll = 0; poll < 3; poll++) expect(await server.poll()).toBeNull();
		expect(sandbox.current.stats().requests - before).toBe(3);
	});

	it('is separate for each event', async () => {
		const server = await activated();
		server.restart({ parameters: { event: 'episodeCreated' } });
		expect(await server.activate()).toBeNull();
		const ids = raise(1);
		server.restart({ parameters: { event: 'usageAlertCreated' } });
		expect(idsOf(await server.activate())).toEqual(ids);
	});

	it('announces once when two polls overlap', async () => {
		const server = await activated();
		const ids = raise(2);
		await Promise.all([server.poll(), server.poll(), server.poll()]);
		expect(idsOf(server.items)).toEqual(ids);
	});
});
