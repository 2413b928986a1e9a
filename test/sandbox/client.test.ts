import type { Sandbox } from '../../sandbox';
import { ask, useSandboxes } from './helpers';

const start = useSandboxes();

const EMAIL = 'client@example.com';

/**
 * Requests of the vendor's Ruby client, recorded by a sandbox. They have wrapped form fields and
 * unencoded emails in the path. A delete or an action has a form without fields.
 */
const calls: Array<[string, string, string, (sandbox: Sandbox) => unknown, unknown]> = [
	[
		'POST',
		'/subscribers',
		`subscriber[email]=${encodeURIComponent(EMAIL)}&subscriber[first_name]=%C3%96+%26+x`,
		({ state }) => state.subscriber(EMAIL)?.first_name,
		'Ö & x',
	],
	[
		'PATCH',
		`/subscribers/${EMAIL}`,
		'subscriber[last_name]=Lee',
		({ state }) => state.subscriber(EMAIL)?.last_name,
		'Lee',
	],
	...[
		['suspended', 'suspended'],
		['inactive', 'deactivated'],
		['available', 'available'],
	].map(([sent, read]): (typeof calls)[number] => [
		'PATCH',
		`/feeds/${EMAIL}`,
		`feed_token[state]=${sent}`,
		({ state }) => state.subscriber(EMAIL)?.state,
		read,
	]),
	['DELETE', `/subscribers/${EMAIL}`, '', ({ state }) => state.subscriber(EMAIL), undefined],
	['POST', '/episodes', 'episode[title]=New', ({ state }) => state.episodes.at(-1)?.title, 'New'],
	[
		'POST',
		'/roles',
		'role[name]=Editor&role[permissions][]=a&role[permissions][]=b',
		({ state }) => state.roles.at(-1)?.permissions,
		['a', 'b'],
	],
	['PATCH', '/channel', 'channel[title]=Other', ({ state }) => state.channel.title, 'Other'],
	['PATCH', '/usage_alerts/1/dismiss', '', ({ state }) => state.usageAlerts.length, 2],
	['DELETE', '/invites/1', '', ({ state }) => state.invites.length, 1],
];

describe('the vendor’s client against the personality documented', () => {
	it('is understood in everything that it writes', async () => {
		const sandbox = await start({ personality: 'documented' });
		for (const [method, path, body, look, expected] of calls) {
			const { status } = await ask(sandbox, path, { method, body });
			expect([method, path, status]).toEqual([method, path, method === 'POST' ? 201 : 200]);
			expect(look(sandbox)).toEqual(expected);
		}
	});

	it('gets the page, the size and the total in the expected headers', async () => {
		const sandbox = await start({ personality: 'documented' });
		const { headers, body } = await ask<unknown[]>(sandbox, '/subscribers?page=3&per_page=10');
		const names = ['x-page', 'x-per-page', 'x-total'];
		expect(names.map((name) => headers.get(name))).toEqual(['3', '10', '25']);
		expect(body).toHaveLength(5);
	});

	it('gets the error in "message"', async () => {
		const sandbox = await start({ personality: 'documented' });
		const body = `subscriber[email]=${sandbox.state.subscribers[0]?.email}`;
		const answer = await ask(sandbox, '/subscribers', { body });
		expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(/taken/)]);
	});
});
