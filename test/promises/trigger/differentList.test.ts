import type { Sandbox } from '../../../sandbox';
import { addMembers } from '../../support/members';
import {
	withRecords,
	withRequests,
	startDifferentService,
	type Twist,
} from '../../support/days/proxy';
import { TriggerServer } from '../../support/triggerServer';

/** Runs a test against a service with a difference. */
async function inService(twist: Twist, test: (sandbox: Sandbox) => Promise<void>): Promise<void> {
	const { sandbox, close } = await startDifferentService({}, twist);
	try {
		await test(sandbox);
	} finally {
		await close();
	}
}

const fromZero = withRequests((asked) => {
	const page = Number(asked.query.get('page')) + 1;
	return { ...asked, query: new URLSearchParams({ page: String(page), per_page: '100' }) };
});

const withoutStates = withRecords((row) => ({ ...row, state: undefined }));

it.each(['subscriberCreated', 'subscriberStateChanged', 'subscriberDeleted'])(
	'%s stops with a sentence if Supercast lists nobody, but says that there are some',
	async (event) => {
		await inService(fromZero, async (sandbox) => {
			addMembers(sandbox, 20);
			const server = new TriggerServer(sandbox, { parameters: { event } });
			await expect(server.activate()).rejects.toThrow(/lists no subscribers, but .* total of 20/);
		});
	},
);

it('a change of state stops with a sentence if Supercast shows no states', async () => {
	await inService(withoutStates, async (sandbox) => {
		addMembers(sandbox, 20);
		const parameters = { event: 'subscriberStateChanged' };
		const server = new TriggerServer(sandbox, { parameters });
		await expect(server.activate()).rejects.toThrow('no field "state"');
	});
});

it('an empty channel is ordinary, and so are a few withRecords without a state', async () => {
	await inService(withoutStates, async (sandbox) => {
		const server = new TriggerServer(sandbox, { parameters: { event: 'subscriberStateChanged' } });
		await server.activate();
		addMembers(sandbox, 4);
		expect(await server.poll()).toBeNull();
	});
});
