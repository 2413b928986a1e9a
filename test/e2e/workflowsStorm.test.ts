import type { StripeSubscription } from '../../harness/senders/stripe';
import { until } from './workflows/kit';
import { watchMemory } from './workflows/memory';
import {
	CREATED,
	INTERVAL,
	emailOf,
	isOpen,
	kit,
	mailed,
	members,
	seconds,
	smallN8n,
	told,
	use,
	useStripeKit,
	watch,
} from './workflows/stripeMembers';

/** Supercast allows 100 requests per minute. With them, this test takes a quarter of an hour. */
const { RATE = '400' } = process.env;
const JOINS = 240;

useStripeKit({ rateLimit: Number(RATE) }, smallN8n);

it('opens the feeds of 240 who join within 25 seconds, and emails each once', async () => {
	const memory = watchMemory(() => kit.environment.server.pid);
	const closed = watch(members(100));
	await use(INTERVAL);
	const started = Date.now();
	const joined: StripeSubscription[] = [];
	const answers: Array<Promise<number[]>> = [];
	for (let count = 0; count < JOINS; count++) {
		const one = kit.senders.stripe.join(`new.${count}@example.com`, 'Nora New');
		joined.push(one);
		answers.push(kit.senders.stripe.send(CREATED, one));
		await seconds(25 / JOINS);
	}
	const sentWithin = (Date.now() - started) / 1000;
	await until('all are open', () => joined.every((one) => isOpen(emailOf(one))), 1_500_000);
	const minutes = (Date.now() - started) / 60_000;
	const mails = () => joined.map((one) => mailed(emailOf(one)).length);
	await until('emails', () => !mails().includes(0), 900_000);
	// A second email would come with the next check.
	await seconds(2 * INTERVAL);
	const statuses = (await Promise.all(answers)).flat();
	const refused = statuses.filter((status) => status !== 200);
	const summary = { RATE, smallN8n, sentWithin, minutes, memoryMb: memory(), refused };
	process.stdout.write(
		`${JSON.stringify(summary)}\n${told()
			.map(({ text }) => text)
			.join('\n')}\n`,
	);
	expect(new Set(mails())).toEqual(new Set([1]));
	expect([closed(), told()]).toEqual([[], []]);
}, 2_700_000);
