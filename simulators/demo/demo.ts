import { environmentSteps, type Environment } from '../../test/harness/environment';
import type { Mailbox } from '../../test/harness/mailbox';
import { demoOwner } from '../../test/harness/n8n/setup';
import { openListeners, refuseClosing } from '../../test/harness/sandbox';
import { endOnSignals } from '../../test/harness/system/ending';
import { ask } from '../../test/harness/system/http';
import { Problem } from '../../test/harness/system/problem';
import { announceSteps, step } from '../../test/harness/system/progress';
import { SYNC_SECONDS } from './addresses';
import type { Dashboard } from './dashboard';
import { payAsNewMember, type DemoServices } from './dashboardActions';
import { help, readOptions, UsageProblem, type DemoOptions } from './options';
import { startDemo } from './startDemo';
import { START_PATH } from './startHere';

const ending = endOnSignals();

const JOIN = `A member pays at Stripe (the next sync run comes within ${SYNC_SECONDS} seconds)`;
const LEAVE = 'The membership ends at Stripe';

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) return say(help);
	announceSteps([...environmentSteps(), JOIN, LEAVE]);
	const { environment, mailbox, services, stop } = await startDemo(
		options.once ? undefined : welcome,
	);
	await tellTheStory(services, options, mailbox);
	if (options.once) return await stop();
	invite(environment);
	ending.expected(stop);
	throw new Problem(`n8n ended by itself (${await environment.server.ended}).`);
}

/** Someone becomes a member and cancels. The private feed opens, and closes. */
async function tellTheStory(
	services: DemoServices,
	options: DemoOptions,
	mailbox: Mailbox,
): Promise<void> {
	const { sandbox, stripe } = services;
	if (options.refuseDelete) await refuseClosing(sandbox);
	const subscription = payAsNewMember(services);
	const { email } = subscription.customer;
	const findListener = async () =>
		(await openListeners(sandbox)).find((one) => one.email === email);
	const listener = await step(JOIN, async () => await within(60, findListener));
	if (listener === undefined) throw new Problem(`${email} got no feed.${troubles(mailbox)}`);
	const before = (await ask(listener.feedUrl)).status;
	say(`\nA new member pays at Stripe and gets a private feed: ${email}`);
	say(`\nThe membership ends at Stripe. The next sync run reads the list of members:\n`);
	stripe.end(subscription);
	const isClosed = async () => ((await ask(listener.feedUrl)).status === 403 ? true : undefined);
	const patience = options.refuseDelete ? 2 * SYNC_SECONDS : 120;
	await step(LEAVE, async () => await within(patience, isClosed));
	const after = (await ask(listener.feedUrl)).status;
	say(`  feed before       ${before}  ${listener.feedUrl}`);
	say(`  feed after        ${after}`);
	if (before !== 200 || after !== 403) {
		throw new Problem(
			`\nAccess did NOT end: the feed responded with ${before} before, and with ${after} after, but 200 and 403 were expected.${troubles(mailbox)}`,
		);
	}
	say('\nAccess has ended: the private feed was open before, and is closed now.');
}

/** Tries until there is a result, or the time is over. */
async function within<T>(
	seconds: number,
	attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
	const deadline = Date.now() + seconds * 1000;
	for (;;) {
		const result = await attempt();
		if (result !== undefined || Date.now() > deadline) return result;
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
}

/** What the workflow reported about failures. */
function troubles({ mails }: Mailbox): string {
	const texts = mails
		.filter(({ subject }) => /did not finish/.test(subject))
		.map(({ text }) => text);
	return texts.length === 0 ? '' : `\n\nThe workflow reported:\n${texts.join('\n')}`;
}

/** Says where everything will be, before the minutes that n8n takes to start. */
function welcome({ loginUrl }: Dashboard): void {
	say(
		'Open the dashboard. Let members pay and cancel there, and watch their feeds and the emails:\n',
	);
	say(`  ${loginUrl}\n`);
	say('n8n starts meanwhile. Open n8n on the dashboard needs no password. To log in elsewhere:\n');
	say(`  email     ${demoOwner.email}`);
	say(`  password  ${demoOwner.password}\n`);
}

function invite({ server, sandbox }: Environment): void {
	const control = new URL('/_sandbox/', sandbox.baseUrl).href;
	say('\nNow it is your turn, on the dashboard. In n8n, Start Here suggests what to try:\n');
	say(`  ${server.url}${START_PATH}`);
	say('\nThe sandbox that simulates Supercast, and how to trigger events in it:\n');
	say(`  API       ${sandbox.baseUrl}   token ${sandbox.accessToken}`);
	say(`  OAuth2    ${sandbox.clientId}   secret ${sandbox.clientSecret}`);
	say(`            ${sandbox.authUrl}   ${sandbox.accessTokenUrl}`);
	say(`  state     ${control}state`);
	say(
		`  alert     curl -X POST -H 'Content-Type: application/json' -d '{"count":1}' ${control}usage-alerts`,
	);
	say('\nCtrl-C stops everything and deletes this demo installation.');
}

function say(text: string): void {
	process.stdout.write(`${text}\n`);
}

main().catch(async (error: unknown) => {
	await ending.failed(error, error instanceof UsageProblem ? 2 : 1);
});
