import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { CannotGoOn, Interrupted } from './evidence/subject';
import { readProbeFlags, USAGE, type Flags } from './flags';
import { reportOf, summaryOf, tableOf } from './report';
import { probe, type ProbeOutcome } from './run';
import { Unreachable } from './service';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const INTERRUPTED = 130;

function flagsOrExit(): Flags {
	try {
		return readProbeFlags(process.argv.slice(2), process.env);
	} catch (error) {
		process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
		return process.exit(2);
	}
}

/** Asks a question; anything but a yes is a no, also the end of the input. */
async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
	const answer = terminal.question(`${question} (y/N) `, { signal }).catch(() => '');
	const text = await Promise.race([answer, ended]);
	terminal.close();
	return /^y(es)?$/i.test(text.trim());
}

const WRITE_QUESTION = `Nobody has this address yet. The probe now creates a subscriber with it, changes,
suspends, opens, closes and deletes them, twice. Supercast may send email to the address.
Go on?`;

const LIMIT_QUESTION = `The probe now sends up to 130 requests without a pause. Until a minute has passed, Supercast
may refuse those of your other apps. Go on?`;

/** Stops the probe at a signal; what it has made is cleaned up before it ends. */
function stopOnSignal(): AbortSignal {
	const controller = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => {
			const again = controller.signal.aborted;
			say(again ? 'Still cleaning up.' : 'Stopping, and cleaning up.');
			controller.abort();
		});
	}
	return controller.signal;
}

async function run(flags: Flags, signal: AbortSignal): Promise<ProbeOutcome> {
	const world = { fetch, now: () => Date.now(), sleep: async (ms: number) => await sleep(ms) };
	const ask = async (question: string): Promise<boolean> =>
		flags.yes || (await confirm(question, signal));
	return await probe(
		{
			...flags,
			signal,
			onStep: (step) => say(`${step} …`),
			mayWrite: async () => await ask(WRITE_QUESTION),
			mayProvoke: async () => await ask(LIMIT_QUESTION),
		},
		world,
	);
}

function show(outcome: ProbeOutcome, { baseUrl, json }: Flags): void {
	const report = reportOf(outcome, baseUrl, Date.now());
	say(`\n${tableOf(report.facts)}\n\n${summaryOf(report.facts)} ${outcome.requests} requests.`);
	if (json !== undefined) {
		writeFileSync(json, `${JSON.stringify(report, null, '\t')}\n`);
		say(`${json} holds no email, name, token or feed address. You can attach it to an issue.`);
	}
	if (outcome.stopped !== undefined) say(outcome.stopped);
	if (outcome.left !== undefined) say(`It left ${outcome.left}.`);
	else if (outcome.evidence.writing !== undefined) say('Everything that it created is deleted.');
}

async function main(): Promise<number> {
	const flags = flagsOrExit();
	const signal = stopOnSignal();
	try {
		const outcome = await run(flags, signal);
		show(outcome, flags);
		if (signal.aborted) return INTERRUPTED;
		return outcome.stopped === undefined && outcome.left === undefined ? 0 : 1;
	} catch (error) {
		if (error instanceof Interrupted) return INTERRUPTED;
		const reason =
			error instanceof Unreachable ? `Supercast could not be reached (${error.message})` : '';
		if (reason === '' && !(error instanceof CannotGoOn)) throw error;
		process.stderr.write(`${reason === '' ? (error as Error).message : reason}.\n`);
		return 1;
	}
}

void main().then((code) => process.exit(code));
