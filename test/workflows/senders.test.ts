import { senders } from '../e2e/workflows/cases';
import type { AccessCase, Sender } from '../e2e/workflows/cases/case';
import type { Json } from '../e2e/workflows/payloads';
import { runCode, type Outputs } from './runCode';

const ORIGIN = 'http://sender';

/** The response of a sender's API at one of its addresses. */
function reply({ says }: Pick<AccessCase, 'says'>, path: string): Json {
	const found = Object.entries(says).find(([beginning]) => path.startsWith(beginning));
	const { status = 200, body } = found?.[1] ?? { status: 404, body: {} };
	return { statusCode: status, body };
}

/** What the nodes of a sender's workflow pass to its Code node. */
function outputs(sender: Sender, delivery: Pick<AccessCase, 'body' | 'headers' | 'says'>): Outputs {
	const { body, headers = {} } = delivery;
	const answer = (path: string) => reply(delivery, path);
	const settings = [sender.settings(ORIGIN)];
	const call = [{ headers: sender.sign(JSON.stringify(body), 'a secret', headers), body }];
	const [first = ''] = Object.keys(delivery.says);
	if (sender.name === 'Stripe') {
		const { object } = (body as { data: { object: Json } }).data;
		const charge = object.object === 'dispute' ? '/v1/charges/ch_1' : first;
		return {
			'Stripe Event': [body],
			Settings: settings,
			'Ask Stripe': [answer(charge).body as Json],
			'Ask for Purchases': [answer('/v1/checkout/sessions').body as Json],
		};
	}
	const asked = {
		Memberful: [answer('/api/graphql').body as Json],
		Patreon: [answer(first)],
		Ghost: [answer(first)],
		WooCommerce: ['subscriptions', 'orders', 'customers/1'].map((name) =>
			answer(`/wp-json/wc/v3/${name}`),
		),
	}[sender.name];
	return {
		[`${sender.name} Event`]: call,
		Settings: settings,
		[`Ask ${sender.name}`]: asked ?? [],
	};
}

const FEED = { graceDays: 7, tellWhom: 'you@example.com' };

/** The state of the feed after the steps of Set Access. */
function after(sender: Sender, row: AccessCase): string {
	const [call] = runCode(sender.file.replace('.json', ''), outputs(sender, row));
	if (call === undefined) return row.before;
	const person = {
		uuid: 'a-uuid',
		email: sender.email,
		customer_id: sender.customerId,
		plan_id: null,
		state: row.before,
		...row.subscriber,
	};
	const isMissing = row.before === 'nobody';
	const missing = { error: 'Supercast has no subscriber "somebody"' };
	const steps = runCode(
		'decide',
		{ 'When Called': [call], Settings: [FEED], 'Find by Email': [[], [missing]] },
		[isMissing ? missing : person],
	).map(({ step }) => step);
	if (steps.includes('open')) return 'available';
	return steps.includes('close') ? 'deactivated' : row.before;
}

describe.each(senders)('$name', (sender) => {
	it.each(sender.cases)('$event: $when ($before, then $after)', (row) => {
		expect(after(sender, row)).toBe(row.after);
	});

	it('relies on the response, not on the event', () => {
		const late = (event: typeof sender.paying, says: AccessCase['says']) =>
			runCode(sender.file.replace('.json', ''), outputs(sender, { ...event, says }))[0]?.access;
		expect(late(sender.ended, sender.paying.says)).toBe('open');
		expect(late(sender.paying, sender.ended.says)).toBe('close');
	});

	it('names the member by ID and by email', () => {
		for (const delivery of [sender.paying, sender.moved]) {
			const [call] = runCode(sender.file.replace('.json', ''), outputs(sender, delivery));
			expect(call).toMatchObject({ sender: sender.name, customerId: sender.customerId });
			expect(call?.access).toBe('open');
			expect(call?.email).toEqual(expect.stringMatching(/@/));
		}
	});
});
