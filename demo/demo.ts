import { cancelMembership, failureOf, type Cancellation } from './cancellation';
import { bodyText } from './lib/http';
import { endOnSignals } from './lib/ending';
import { Problem } from './lib/problem';
import { demoOwner } from './n8n/setup';
import { help, readOptions, UsageProblem, type DemoOptions } from './options';
import { openListeners, refuseDelete, type Listener } from './sandbox';
import { cancellationWorkflow, startWorld, type World } from './world';

const ending = endOnSignals();

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) return say(help);
	const world = await startWorld();
	const next = await tellTheStory(world, options);
	if (options.once) {
		await world.stop();
		return;
	}
	invite(world, next);
	ending.expected(world.stop);
	throw new Problem(`n8n ended by itself (${await world.server.ended}).`);
}

/** Cancels one membership; the listener that it returns is another one, to try it on by hand. */
async function tellTheStory(world: World, options: DemoOptions): Promise<Listener | undefined> {
	if (options.refuseDelete) await refuseDelete(world.sandbox);
	const [listener, next] = await openListeners(world.sandbox);
	if (listener === undefined) throw new Problem('The sandbox has no subscriber with an open feed.');
	say(`\nA membership is cancelled: ${listener.email}\n`);
	const seen = await cancelMembership(world.sandbox, webhookUrl(world), listener);
	report(world, listener, seen);
	const failure = failureOf(seen);
	if (failure !== undefined) throw new Problem(`\nAccess was NOT revoked: ${failure}`);
	say('\nAccess was revoked: the private feed was open before, and is closed now.');
	return next;
}

function report(world: World, listener: Listener, seen: Cancellation): void {
	say(`  feed before       ${seen.feedBefore}  ${listener.feedUrl}`);
	say(`  call to n8n       POST ${webhookUrl(world)}`);
	say(`  answer of n8n     ${seen.webhook.status}  ${bodyText(seen.webhook)}`);
	say(`  feed after        ${seen.feedAfter}`);
	say(`  the service       ${seen.stillKnown ? 'still has' : 'no longer has'} the subscriber`);
}

function invite(world: World, next: Listener | undefined): void {
	say('\nLook around in the editor:\n');
	say(`  ${world.server.url}/workflow/${cancellationWorkflow.id}`);
	say(`  email     ${demoOwner.email}`);
	say(`  password  ${demoOwner.password}`);
	if (next !== undefined) {
		const body = JSON.stringify({ email: next.email });
		say('\nCancel another membership:\n');
		say(`  curl -H 'Content-Type: application/json' -d '${body}' ${webhookUrl(world)}`);
	}
	say('\nCtrl-C stops everything and throws this n8n away.');
}

function webhookUrl(world: World): string {
	return `${world.server.url}/webhook/${cancellationWorkflow.webhookPath}`;
}

function say(text: string): void {
	process.stdout.write(`${text}\n`);
}

main().catch(async (error: unknown) => {
	await ending.failed(error, error instanceof UsageProblem ? 2 : 1);
});
