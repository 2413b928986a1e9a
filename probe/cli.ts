import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { CannotGoOn } from './evidence/subject';
import { readProbeFlags, USAGE, type Flags } from './flags';
import { findings, reportOf, textOfRows } from './report';
import { probe, type ProbeOutcome } from './run';
import { Interrupted } from './service';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const INTERRUPTED = 130;

function flagsOrExit(): Flags {
	try {
		const flags = readProbeFlags(process.argv.slice(2), process.env);
		if (flags.json !== undefined) checkWritable(flags.json);
		return flags;
	} catch (error) {
		process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
		return process.exit(2);
	}
}

/** The probe takes minutes, so a file that cannot be written should show before. */
function checkWritable(file: string): void {
	try {
		accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
	} catch {
		throw new Error(`--json: ${file} cannot be written`);
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

/** Writes the file for an issue. Returns whether that succeeded. */
function save(outcome: ProbeOutcome, baseUrl: string, file: string): boolean {
	const hidden = new Set<string>();
	try {
		const report = reportOf(outcome, baseUrl, Date.now(), hidden);
		writeFileSync(file, `${JSON.stringify(report, null, '\t')}\n`);
	} catch (error) {
		process.stderr.write(`${file} was not written: ${(error as Error).message}.\n`);
		return false;
	}
	say(`${file} holds no email, name, token or feed address. You can attach it to an issue.`);
	if (hidden.size > 0) {
		say('It leaves out these names, which may be data. Add those that are names of fields:');
		say(`  ${[...hidden].join(', ')}`);
	}
	return true;
}

/** Shows what the probe found. What is left in Supercast comes last, whatever happens before. */
function show(outcome: ProbeOutcome, { baseUrl, json }: Flags): boolean {
	const { evidence, requests, stopped, left } = outcome;
	const rows = findings(evidence);
	say(`\n${textOfRows(rows)}\nThe probe sent ${requests} requests.`);
	const isSaved = json === undefined || save(outcome, baseUrl, json);
	if (stopped !== undefined) say(stopped);
	if (left !== undefined) say(left);
	else if (evidence.writing !== undefined) say('The probe deleted everything that it created.');
	return isSaved && stopped === undefined && left === undefined;
}

async function main(): Promise<number> {
	const flags = flagsOrExit();
	const signal = stopOnSignal();
	try {
		const isDone = show(await run(flags, signal), flags);
		if (signal.aborted) return INTERRUPTED;
		return isDone ? 0 : 1;
	} catch (error) {
		if (error instanceof Interrupted) return INTERRUPTED;
		if (!(error instanceof CannotGoOn)) throw error;
		process.stderr.write(`${error.message}.\n`);
		return 1;
	}
}

void main().then((code) => process.exit(code));
