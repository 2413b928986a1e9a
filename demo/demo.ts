import { cancelMembership, failureOf, type Cancellation } from './cancellation';
import { bodyText } from '../harness/system/http';
import { endOnSignals } from '../harness/system/ending';
import { Problem } from '../harness/system/problem';
import { demoOwner } from '../harness/n8n/setup';
import { help, readOptions, UsageProblem, type DemoOptions } from './options';
import { openListeners, refuseDelete, type Listener } from '../harness/sandbox';
import { cancellationWorkflow, startEnvironment, type Environment } from '../harness/environment';

const ending = endOnSignals();

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) return say(help);
	const environment = await startEnvironment();
	const next = await tellTheStory(environment, options);
	if (options.once) {
		await environment.stop();
		return;
	}
	invite(environment, next);
	ending.expected(environment.stop);
	throw new Problem(`n8n ended by itself (${await environment.server.ended}).`);
}

/** Cancels one membership; the listener that it returns is another one, to try it on by hand. */
async function tellTheStory(
	environment: Environment,
	options: DemoOptions,
): Promise<Listener | undefined> {
	if (options.refuseDelete) await refuseDelete(environment.sandbox);
	const [listener, next] = await openListeners(environment.sandbox);
	if (listener === undefined) throw new Problem('The sandbox has no subscriber with an open feed.');
	say(`\nA membership is cancelled: ${listener.email}\n`);
	const seen = await cancelMembership(environment.sandbox, webhookUrl(environment), listener);
	report(environment, listener, seen);
	const failure = failureOf(seen);
	if (failure !== undefined) throw new Problem(`\nAccess was NOT revoked: ${failure}`);
	say('\nAccess was revoked: the private feed was open before, and is closed now.');
	return next;
}

function report(environment: Environment, listener: Listener, seen: Cancellation): void {
	say(`  feed before       ${seen.feedBefore}  ${listener.feedUrl}`);
	say(`  call to n8n       POST ${webhookUrl(environment)}`);
	say(`  answer of n8n     ${seen.webhook.status}  ${bodyText(seen.webhook)}`);
	say(`  feed after        ${seen.feedAfter}`);
	say(`  the service       ${seen.stillKnown ? 'still has' : 'no longer has'} the subscriber`);
}

function invite(environment: Environment, next: Listener | undefined): void {
	say('\nLook around in the editor:\n');
	say(`  ${environment.server.url}/workflow/${cancellationWorkflow.id}`);
	say(`  email     ${demoOwner.email}`);
	say(`  password  ${demoOwner.password}`);
	if (next !== undefined) {
		const body = JSON.stringify({ email: next.email });
		say('\nCancel another membership:\n');
		say(`  curl -H 'Content-Type: application/json' -d '${body}' ${webhookUrl(environment)}`);
	}
	say('\nCtrl-C stops everything and throws this n8n away.');
}

function webhookUrl(environment: Environment): string {
	return `${environment.server.url}/webhook/${cancellationWorkflow.webhookPath}`;
}

function say(text: string): void {
	process.stdout.write(`${text}\n`);
}

main().catch(async (error: unknown) => {
	await ending.failed(error, error instanceof UsageProblem ? 2 : 1);
});
