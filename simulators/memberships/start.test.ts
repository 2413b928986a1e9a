import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { startMockServers, SYSTEMS, systemNames, type MockServers } from '.';
import { at, type MockAnswer } from './requests';
import { startMockServersOf, type MockServersOf } from './start';
import { stripeSystem } from './stripe';

describe('two systems with the same paths', () => {
	const both = {
		stripe: stripeSystem,
		twin: { ...stripeSystem, file: 'twin.json', host: 'api.example.com' },
	};
	const { path, request } = stripeSystem.list;

	let servers: MockServersOf<typeof both>;

	beforeAll(async () => {
		servers = await startMockServersOf(both);
	});
	afterAll(async () => await servers.close());
	beforeEach(() => servers.clear());

	const list = async (name: keyof typeof both) =>
		await servers.ask(name, path, request(servers[name], { number: 1, size: 9, before: null }));
	const emailsIn = ({ json }: MockAnswer) =>
		(at(json, 'data') as unknown[]).map((one) => at(one, 'customer.email'));

	it('have their own members', async () => {
		servers.stripe.join('ann@example.com');
		servers.twin.join('ben@example.com');
		expect(emailsIn(await list('stripe'))).toEqual(['ann@example.com']);
		expect(emailsIn(await list('twin'))).toEqual(['ben@example.com']);
	});

	it('count their own requests, with the path that the system knows', async () => {
		await list('stripe');
		await list('twin');
		await list('twin');
		expect([servers.requests('stripe'), servers.requests('twin')]).toEqual([1, 2]);
		expect(servers.asked.map(({ system, url }) => [system, url.split('?')[0]])).toEqual([
			['stripe', path],
			['twin', path],
			['twin', path],
		]);
	});

	it('have their own faults, unless a fault names no system', async () => {
		const statuses = async () => [(await list('stripe')).status, (await list('twin')).status];
		servers.faults.push({ system: 'twin', path, status: 500 });
		expect(await statuses()).toEqual([200, 500]);
		servers.faults.splice(0, Infinity, { path, status: 503 });
		expect(await statuses()).toEqual([503, 503]);
	});

	it('are two addresses in a workflow', () => {
		const text = `https://api.stripe.com${path} https://api.example.com${path}`;
		expect(servers.redirect('twin.json', text)).toBe(
			`${servers.origin}/stripe${path} ${servers.origin}/twin${path}`,
		);
	});
});

describe('the addresses of the systems', () => {
	let servers: MockServers;

	beforeAll(async () => {
		servers = await startMockServers();
	});
	afterAll(async () => await servers.close());
	beforeEach(() => servers.clear());

	it('lead from a host of the customer to the system of the workflow', () => {
		const text = 'https://YOUR-SITE/members https://YOUR-SITE.example.com/members';
		for (const name of ['ghost', 'woocommerce'] as const) {
			const members = `${servers.addressOf(name)}/members`;
			expect(servers.redirect(SYSTEMS[name].file, text)).toBe(`${members} ${members}`);
		}
	});

	const withHost = systemNames.filter((name) => SYSTEMS[name].host !== undefined);

	it.each(withHost)(
		'lead a running program from the host of %s to its mock server',
		async (name) => {
			const { host, list } = SYSTEMS[name];
			const options = JSON.stringify({ host, path: `${list.path}?page=1` });
			const script = `require('node:https').request(${options}, (answer) => answer.resume()).end()`;
			await promisify(execFile)(process.execPath, ['-e', script], { env: servers.env });
			expect(servers.asked).toMatchObject([{ system: name, url: `${list.path}?page=1` }]);
		},
	);
});
