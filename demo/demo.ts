import { endOnSignals } from '../harness/system/ending';
import { bodyText } from '../harness/system/http';
import { Problem } from '../harness/system/problem';
import { cancelMembership, failureOf, type Cancellation } from '../harness/cancellation';
import { startEnvironment, type Environment } from '../harness/environment';
import { startMailbox } from '../harness/mailbox';
import { demoOwner } from '../harness/n8n/setup';
import { openListeners, refuseClosing, type Listener } from '../harness/sandbox';
import { startDesk, type Desk } from './desk';
import { payAsNewMember, tellN8n } from './deskActions';
import { demoContents } from './kit';
import { help, readOptions, UsageProblem, type DemoOptions } from './options';
import { START_ID } from './startHere';

const ending = endOnSignals();

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) return say(help);
	const mailbox = await startMailbox();
	const desk = await startDesk(mailbox);
	const environment = await startEnvironment((sandbox) =>
		demoContents({ sandbox, desk: desk.url, smtpPort: mailbox.port }),
	);
	desk.connect({
		sandbox: environment.sandbox,
		webhook: webhookUrl(environment),
		members: async () => await membersOf(environment),
	});
	await tellTheStory(environment, options);
	const stop = async () => {
		await environment.stop();
		await Promise.all([desk.close(), mailbox.close()]);
	};
	if (options.once) return await stop();
	invite(environment, desk);
	ending.expected(stop);
	throw new Problem(`n8n ended by itself (${await environment.server.ended}).`);
}

/** Someone becomes a member and cancels. The private feed opens, and closes. */
async function tellTheStory(environment: Environment, options: DemoOptions): Promise<void> {
	const { sandbox } = environment;
	if (options.refuseDelete) await refuseClosing(sandbox);
	const [email, paid] = await payAsNewMember(webhookUrl(environment));
	const listener = (await openListeners(sandbox)).find((one) => one.email === email);
	if (listener === undefined) throw new Problem(`${email} got no feed: ${bodyText(paid)}`);
	say(`\nA new member pays and gets a private feed: ${email}`);
	say('\nThe membership is cancelled:\n');
	const call = { access: 'close', email: listener.email, event: 'membership ended' };
	const seen = await cancelMembership(
		sandbox,
		listener,
		async () => await tellN8n(webhookUrl(environment), call),
	);
	report(environment, listener, seen);
	const failure = failureOf(seen);
	if (failure !== undefined) throw new Problem(`\nAccess did NOT end: ${failure}`);
	say('\nAccess has ended: the private feed was open before, and is closed now.');
}

function report(environment: Environment, listener: Listener, seen: Cancellation): void {
	say(`  feed before       ${seen.feedBefore}  ${listener.feedUrl}`);
	say(`  call to n8n       POST ${webhookUrl(environment)}`);
	say(`  n8n's response    ${seen.webhook.status}  ${bodyText(seen.webhook)}`);
	say(`  feed after        ${seen.feedAfter}`);
}

function invite({ server, sandbox }: Environment, desk: Desk): void {
	const control = new URL('/_sandbox/', sandbox.baseUrl).href;
	say('\nLook around in the editor. The workflow Start Here suggests what to try:\n');
	say(`  ${server.url}/workflow/${START_ID}`);
	say(`  email     ${demoOwner.email}`);
	say(`  password  ${demoOwner.password}`);
	say('\nOn the desk, let members pay, cancel or miss a payment, and read the emails:\n');
	say(`  ${desk.url}`);
	say('\nThe sandbox that simulates Supercast, and how to trigger events in it:\n');
	say(`  API       ${sandbox.baseUrl}   token ${sandbox.accessToken}`);
	say(`  state     ${control}state`);
	say(
		`  alert     curl -X POST -H 'Content-Type: application/json' -d '{"count":1}' ${control}usage-alerts`,
	);
	say('\nCtrl-C stops everything and deletes this demo installation.');
}

/** All subscribers, and someone who has no feed yet, so that the Sync has something to do. */
async function membersOf({ sandbox }: Environment): Promise<string> {
	const listeners = await openListeners(sandbox);
	const rows = listeners.map(({ email, customerId }) => `${email},${customerId ?? ''}`);
	return ['email,id', ...rows, 'missed.member@example.com,demo-missed'].join('\n');
}

function webhookUrl(environment: Environment): string {
	return `${environment.server.url}/webhook/access`;
}

function say(text: string): void {
	process.stdout.write(`${text}\n`);
}

main().catch(async (error: unknown) => {
	await ending.failed(error, error instanceof UsageProblem ? 2 : 1);
});
