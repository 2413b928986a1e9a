/** What a newcomer stumbled over: silent outcomes, and messages that did not say where to go. */

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { addMembers, hintsOf } from '../../support/members';
import { runSupercast, type RunOptions } from '../../../harness/engine';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();
const byEmail = { __rl: true, mode: 'email', value: '={{ $json.who }}' };

async function run(
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	more: Partial<RunOptions> = {},
) {
	const credential = credentialOf(sandbox.current);
	const result = await runSupercast({ parameters, credential, items, ...more });
	return { ...result, records: result.output.map(({ json }) => json), hints: hintsOf(result) };
}

const someone = () => sandbox.current.state.subscribers[0]!;

async function setFeed(operation: string): Promise<void> {
	await run({ resource: 'feed', operation, subscriber: byEmail }, [{ who: someone().email }]);
}

describe('Create or Update of a returning member', () => {
	const upsert = (options: INodeParameters = {}) =>
		run({ resource: 'subscriber', operation: 'upsert', email: someone().email, options });

	it.each([
		['deactivate', 'deactivated', "add the option 'Reactivate'"],
		['suspend', 'suspended', 'Feed: Activate'],
	])('after %s says that the feeds stay closed, and how to open them', async (...tried) => {
		const [operation, state, remedy] = tried;
		await setFeed(operation);
		const { records, hints } = await upsert();
		expect(records).toMatchObject([{ action: 'unchanged', state }]);
		expect(records[0]).not.toHaveProperty('reactivated');
		expect(hints).toContain('stay closed');
		expect(hints).toContain(remedy);
	});

	it('says so beside the action when it has opened the feeds, and then gives no hint', async () => {
		await setFeed('deactivate');
		const { records, hints } = await upsert({ reactivate: true });
		expect(records).toMatchObject([{ action: 'updated', reactivated: true, state: 'available' }]);
		expect(hints).toBe('');
		expect(await feedStatus(sandbox.current.state.feedUrl(someone().email))).toBe(200);
		const again = await upsert({ reactivate: true });
		expect(again.records[0]).not.toHaveProperty('reactivated');
	});

	it('says nothing about feeds that are open', async () => {
		expect((await upsert()).hints).toBe('');
	});
});

describe('Set Access', () => {
	const close = (email: string) =>
		run({ resource: 'subscriber', operation: 'setAccess', access: 'close', email });

	it('says beside the output why a feed stays open, and what to do', async () => {
		Object.assign(someone(), { plan_id: 42 });
		const { records, hints } = await close(someone().email);
		expect(records).toMatchObject([{ action: 'kept', attention: hints }]);
		expect(hints).toContain('their feed stays open. If the plan has ended too');
	});

	it('says nothing when it has closed the feed', async () => {
		const [member] = addMembers(sandbox.current, 1, () => ({}));
		const { records, hints } = await close(member!.email);
		expect(records).toMatchObject([{ action: 'closed', attention: null }]);
		expect(hints).toBe('');
	});
});

describe('a UUID in By Email, where n8n puts a dragged field', () => {
	it.each([
		['subscriber', 'get'],
		['feed', 'get'],
	])('is accepted: %s, %s', async (resource, operation) => {
		const { uuid, email } = someone();
		const items = [{ who: ` ${uuid} ` }, { who: email }];
		const { records, error } = await run({ resource, operation, subscriber: byEmail }, items);
		expect(error).toBeUndefined();
		expect(records).toHaveLength(2);
		expect(records[0]).toEqual(records[1]);
	});
});

describe('the message for one failed item', () => {
	const parameters = {
		resource: 'subscriber',
		operation: 'get',
		subscriber: byEmail,
		options: { maxWaitSeconds: 0, parallelRequests: 1 },
	};

	it.each([
		[1, 'The other item was completed.'],
		[4, 'All other items were completed.'],
	])('says that all %d others were completed', async (count, words) => {
		const others = sandbox.current.state.subscribers.slice(0, count);
		const items = [...others.map(({ email }) => ({ who: email })), { who: 'no@example.com' }];
		const { error } = await run(parameters, items);
		expect(error?.description).toMatch(new RegExp(` ${words.replace('.', '\\.')}$`));
	});

	it.each([
		['subscriber', 'get', undefined],
		['subscriber', 'delete', 'Succeed'],
		['feed', 'deactivate', 'Succeed'],
		['feed', 'activate', 'Succeed'],
	])('of a missing person has two sentences at most: %s, %s', async (...tried) => {
		const [resource, operation, option] = tried;
		const { error } = await run({ ...parameters, resource, operation }, [
			{ who: 'no@example.com' },
		]);
		const sentences = error!.description!.split(/(?<=\.) /);
		expect(error?.message).toMatch(/^Supercast has no .*"no@example\.com"$/);
		expect(sentences).toHaveLength(option === undefined ? 1 : 2);
		if (option) expect(sentences[1]).toMatch(/'Add Option'.*'If Missing'.*'Succeed'/);
	});
});

describe('the output begins with what is worth knowing', () => {
	const personal = { email: '={{ $json.who }}', subscriber: byEmail };
	it.each([
		['subscriber', 'get', ['email', 'state']],
		['subscriber', 'upsert', ['action', 'email', 'state']],
		['subscriber', 'setAccess', ['access', 'action', 'email', 'state']],
	])('%s: %s', async (resource, operation, first) => {
		const { records } = await run({ resource, operation, ...personal }, [{ who: someone().email }]);
		expect(Object.keys(records[0]!).slice(0, first.length)).toEqual(first);
	});

	it('usageAlert: dismiss', async () => {
		const id = String(sandbox.current.state.usageAlerts[0]!.id);
		const usageAlert = { __rl: true, mode: 'id', value: id };
		const { records } = await run({ resource: 'usageAlert', operation: 'dismiss', usageAlert });
		expect(Object.entries(records[0]!)[0]).toEqual(['action', 'dismissed']);
	});
});
