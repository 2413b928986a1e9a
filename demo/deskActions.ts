import { ask, bodyText, type HttpAnswer } from '../harness/system/http';
import { openListeners, type Listener, type SandboxAddress } from '../harness/sandbox';
import { SECRET } from './kit';

/** What the buttons act on. */
export interface DeskWorld {
	sandbox: SandboxAddress;
	/** The webhook of "Any System". */
	webhook: string;
	/** The list that Nightly Sync reads: all subscribers, and someone who has no feed yet. */
	members: () => Promise<string>;
}

/** A button. */
export interface DeskAction {
	path: string;
	label: string;
	/** Runs the action, and returns what happened. */
	run: (world: DeskWorld) => Promise<string>;
}

/** Tells n8n that someone's access has changed, as a membership system does. */
export async function tellN8n(webhook: string, call: Record<string, unknown>) {
	const headers = { [SECRET.name]: SECRET.value };
	return await ask(webhook, { method: 'POST', json: call, headers });
}

let count = 0;

/** A new member pays. Returns who, and n8n's response. */
export async function payAsNewMember(
	webhook: string,
): Promise<[email: string, answer: HttpAnswer]> {
	count += 1;
	const call = {
		access: 'open',
		email: `new.member.${count}@example.com`,
		name: `New Member ${count}`,
		customerId: `demo-${count}`,
		event: 'payment made',
	};
	return [call.email, await tellN8n(webhook, call)];
}

async function pay({ webhook }: DeskWorld): Promise<string> {
	const [email, answer] = await payAsNewMember(webhook);
	return `${email} paid. n8n says: ${bodyText(answer)}`;
}

/** A member from the membership system. Set Access does not touch those whom Supercast bills. */
async function somebody({ sandbox }: DeskWorld): Promise<Listener | undefined> {
	const all = await openListeners(sandbox);
	return all.filter(({ customerId }) => customerId !== null).at(-1);
}

async function change(world: DeskWorld, call: Record<string, unknown>): Promise<string> {
	const listener = await somebody(world);
	if (listener === undefined) return 'No member has paid yet. Press "A Member Pays".';
	const { email, feedUrl } = listener;
	const said = bodyText(await tellN8n(world.webhook, { email, ...call }));
	const feed = (await ask(feedUrl)).status;
	return `${email}: ${String(call.event)}. n8n says: ${said}. The feed now responds with ${feed}.`;
}

/** Makes the sandbox do something that its members or Supercast would do. */
async function control(
	{ sandbox }: DeskWorld,
	path: string,
	json?: unknown,
	method = 'POST',
): Promise<string> {
	const url = new URL(`/_sandbox/${path}`, sandbox.baseUrl).href;
	const { status } = await ask(url, { method, json });
	return `${method} ${url}: ${status}`;
}

const lastWeek = () => new Date(Date.now() - 8 * 86_400_000).toISOString();
const away = { kind: 'status', status: 503, share: 1, seed: 1 };

/** All actions of the desk. */
export const actions: DeskAction[] = [
	{ path: '/pay', label: 'A Member Pays', run: pay },
	{
		path: '/cancel',
		label: 'A Member Cancels',
		run: async (world) => await change(world, { access: 'close', event: 'membership ended' }),
	},
	{
		path: '/late',
		label: 'A Payment Failed Today',
		run: async (world) => await change(world, { access: 'hold', event: 'payment failed today' }),
	},
	{
		path: '/overdue',
		label: 'A Payment Failed Last Week',
		run: async (world) =>
			await change(world, {
				access: 'hold',
				event: 'payment failed last week',
				since: lastWeek(),
			}),
	},
	{
		path: '/alert',
		label: 'A Feed Is Shared',
		run: async (world) => await control(world, 'usage-alerts', { count: 1 }),
	},
	{
		path: '/question',
		label: 'A Member Asks',
		run: async (world) => await control(world, 'records', { resource: 'questions', count: 1 }),
	},
	{
		path: '/episode',
		label: 'An Episode Is Published',
		run: async (world) => await control(world, 'records', { resource: 'episodes', count: 1 }),
	},
	{
		path: '/away',
		label: 'Supercast Is Down',
		run: async (world) => await control(world, 'faults', away),
	},
	{
		path: '/back',
		label: 'Supercast Is Up Again',
		run: async (world) => await control(world, 'faults', undefined, 'DELETE'),
	},
];
