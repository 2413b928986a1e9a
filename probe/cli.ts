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

/** Asks a question. Everything except a yes counts as a no, including the end of the input. */
async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
	const answer = terminal.question(`${question} (y/N) `, { signal }).catch(() => '');
	const text = await Promise.race([answer, ended]);
	terminal.close();
	return /^y(es)?$/i.test(text.trim());
}

const WRITE_QUESTION = `No subscriber has this address yet. The probe now creates one with it, and changes,
suspends, opens, closes and deletes them. It does this twice. Supercast may send email to the
address. Continue?`;

const LIMIT_QUESTION = `The probe now sends up to 130 requests without a pause. For up to a minute, Supercast may
refuse the requests of your other apps. Continue?`;

/** Stops the probe at a signal. It first cleans up what it created. */
function stopOnSignal(): AbortSignal {
	const controller = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => {
			const again = controller.signal.aborted;
			say(again ? 'The probe is still cleaning up.' : 'The probe stops and cleans up.');
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
	say(
		`\n${tableOf(report.facts)}\n\n${summaryOf(report.facts)} The probe sent ${outcome.requests} requests.`,
	);
	if (json !== undefined) {
		writeFileSync(json, `${JSON.stringify(report, null, '\t')}\n`);
		say(`${json} holds no email, name, token or feed address. You can attach it to an issue.`);
	}
	if (outcome.stopped !== undefined) say(outcome.stopped);
	if (outcome.left !== undefined) say(outcome.left);
	else if (outcome.evidence.writing !== undefined)
		say('The probe deleted everything that it created.');
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
