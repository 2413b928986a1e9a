import { once } from 'node:events';
import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { CannotGoOn } from './evidence/subject';
import { readProbeFlags, USAGE, type Flags } from './flags';
import { findings, reportOf, textOfRows } from './report';
import { probe, type ProbeOutcome } from './run';
import { Interrupted, type ProbeRuntime } from './service';

/** What the command needs from its process. */
export interface Terminal {
	input: Readable;
	output: Writable;
	errors: Writable;
	runtime: ProbeRuntime;
	/** Stops the probe, which first deletes what it created. */
	signal: AbortSignal;
}

const WRONG_FLAGS = 2;
const INTERRUPTED = 130;

/** The probe takes minutes, so check before it starts whether the file can be written. */
function checkWritable(file: string): void {
	try {
		accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
	} catch {
		throw new Error(`--json: ${file} cannot be written`);
	}
}

/** Asks a question. Everything except a yes counts as a no, including the end of the input. */
async function confirm(question: string, { signal, ...streams }: Terminal): Promise<boolean> {
	const lines = createInterface(streams);
	// The input may end right after the answer, which still counts.
	const ended = once(lines, 'close').then(async () => await setImmediate(''));
	const answer = lines.question(`${question} (y/N) `, { signal }).catch(() => '');
	const text = await Promise.race([answer, ended]);
	lines.close();
	return /^y(es)?$/i.test(text.trim());
}

const WRITE_QUESTION = `No subscriber has this address yet. The probe now creates one with it, and changes,
suspends, opens, closes and deletes them. Then it creates and deletes them again. Supercast may
send email to the address. Continue?`;

const LIMIT_QUESTION = `The probe now sends up to 130 requests without a pause. For up to a minute, Supercast may
refuse the requests of your other apps. Continue?`;

function sayTo({ output }: Terminal): (text: string) => void {
	return (text) => void output.write(`${text}\n`);
}

async function run(flags: Flags, terminal: Terminal): Promise<ProbeOutcome> {
	const { signal, runtime } = terminal;
	const say = sayTo(terminal);
	const ask = async (question: string): Promise<boolean> =>
		flags.yes || (await confirm(question, terminal));
	return await probe(
		{
			...flags,
			signal,
			onStep: (step) => say(`${step} …`),
			mayWrite: async () => await ask(WRITE_QUESTION),
			mayProvoke: async () => await ask(LIMIT_QUESTION),
		},
		runtime,
	);
}

/** Writes the file to attach to an issue. Returns whether that succeeded. */
function save(
	outcome: ProbeOutcome,
	{ baseUrl, json: file = '' }: Flags,
	terminal: Terminal,
): boolean {
	const say = sayTo(terminal);
	const hidden = new Set<string>();
	try {
		const report = reportOf(outcome, baseUrl, Date.now(), hidden);
		writeFileSync(file, `${JSON.stringify(report, null, '\t')}\n`);
	} catch (error) {
		terminal.errors.write(`${file} was not written: ${(error as Error).message}.\n`);
		return false;
	}
	say(`${file} holds no email, name, token or feed address. You can attach it to an issue.`);
	if (hidden.size > 0) {
		say('It leaves out these names, which may be data. Add those that are names of fields:');
		say(`  ${[...hidden].join(', ')}`);
	}
	return true;
}

/** Shows what the probe found. What remains in Supercast always comes last. */
function show(outcome: ProbeOutcome, flags: Flags, terminal: Terminal): boolean {
	const say = sayTo(terminal);
	const { evidence, requests, stopped, left } = outcome;
	const rows = findings(evidence);
	say(`\n${textOfRows(rows)}\nThe probe sent ${requests} requests.`);
	const isSaved = flags.json === undefined || save(outcome, flags, terminal);
	if (stopped !== undefined) say(stopped);
	if (left !== undefined) say(left);
	else if (evidence.writing !== undefined) {
		const isClean = 'The probe deleted everything that it created.';
		say(outcome.hasCreated === true ? isClean : 'The probe created nothing.');
	}
	return isSaved && stopped === undefined && left === undefined;
}

/**
 * Runs the command line.
 * @returns The exit code: 0 if the probe learned everything, and nothing remains in Supercast.
 */
export async function command(
	args: string[],
	environment: Record<string, string | undefined>,
	terminal: Terminal,
): Promise<number> {
	let flags: Flags;
	try {
		flags = readProbeFlags(args, environment);
		if (flags.json !== undefined) checkWritable(flags.json);
	} catch (error) {
		terminal.errors.write(`${(error as Error).message}\n\n${USAGE}\n`);
		return WRONG_FLAGS;
	}
	try {
		const isDone = show(await run(flags, terminal), flags, terminal);
		if (terminal.signal.aborted) return INTERRUPTED;
		return isDone ? 0 : 1;
	} catch (error) {
		if (error instanceof Interrupted) return INTERRUPTED;
		if (!(error instanceof CannotGoOn)) throw error;
		terminal.errors.write(`${error.message}.\n`);
		return 1;
	}
}
