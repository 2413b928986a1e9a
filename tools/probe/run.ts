import { inWords, isTelling, type Answer } from './answer';
import { cleanUp } from './evidence/cleanUp';
import { provokeLimit } from './evidence/limit';
import { read, type ProbedReading } from './evidence/reading';
import { CUSTOMER_ID, CannotGoOn, RealMember, ProbedPerson } from './evidence/subject';
import { write, type Writing } from './evidence/writing';
import { type Evidence } from './finding';
import { Interrupted, Service, Unreachable, type ProbeRuntime } from './service';
import { identityOf, recordOf } from './shapes';

/** What the probe should do. */
export interface Task {
	baseUrl: string;
	token: string;
	/** The address to write to, in lower case. Without it, the probe writes nothing. */
	write?: string;
	/** Whether to exceed the limit on purpose. */
	limit: boolean;
	requestsPerMinute?: number;
	/** Stops the probe, which still cleans up what it created. */
	signal?: AbortSignal;
	/** Receives a message about each step before it starts. */
	onStep?: (step: string) => void;
	/** Asks whether to write, after the probe has found that nobody has the address. */
	mayWrite?: () => Promise<boolean>;
	mayProvoke?: () => Promise<boolean>;
}

/** How the probe ended. */
export interface ProbeOutcome {
	evidence: Evidence;
	requests: number;
	/** Whether the probe may have created anything. */
	hasCreated?: boolean;
	/** A sentence about why it ended early. */
	stopped?: string;
	/** A sentence about what it could not clean up. */
	left?: string;
}

/**
 * Finds out as much as possible.
 * @throws CannotGoOn if the first responses are useless, Interrupted if the user stops the probe
 * while it reads.
 */
export async function probe(task: Task, runtime: ProbeRuntime): Promise<ProbeOutcome> {
	const { onStep = () => undefined } = task;
	const { baseUrl, token, requestsPerMinute, signal } = task;
	const service = new Service(baseUrl, token, runtime, requestsPerMinute, signal);
	onStep('Reading (about a minute)');
	await beSureItResponds(service);
	const outcome: ProbeOutcome = { evidence: { reading: await read(service) }, requests: 0 };
	// Cleaning up continues even if everything else is stopped.
	const unstoppable = new Service(baseUrl, token, runtime, requestsPerMinute);
	if (task.write !== undefined) await writing(task, [service, unstoppable], outcome);
	const isWanted = task.limit && signal?.aborted !== true;
	if (isWanted && (await (task.mayProvoke?.() ?? true))) {
		onStep('Sending requests until Supercast refuses one');
		await limiting(service, outcome);
	}
	outcome.requests = service.requests + unstoppable.requests;
	return outcome;
}

async function limiting(service: Service, outcome: ProbeOutcome): Promise<void> {
	const { reading } = outcome.evidence;
	const path = reading.channel.status === 200 ? '/channel' : '/episodes';
	try {
		outcome.evidence.limit = await provokeLimit(service, path);
	} catch (error) {
		outcome.stopped = [outcome.stopped, stopReason(error)].filter(Boolean).join(' ');
	}
}

async function writing(
	task: Task,
	[service, unstoppable]: [Service, Service],
	outcome: ProbeOutcome,
): Promise<void> {
	const { onStep = () => undefined, write: email = '' } = task;
	const subject = new ProbedPerson(service, email);
	const seen: Writing = { feeds: {} };
	const { reading } = outcome.evidence;
	try {
		refuseWithoutLookUps(reading);
		await subject.beSureItIsNobody(reading.lists.subscribers?.rows ?? []);
		if (!(await (task.mayWrite?.() ?? true))) return;
		onStep('Writing (about a minute)');
		outcome.evidence.writing = seen;
		await write(service, subject, seen);
	} catch (error) {
		outcome.stopped = stopReason(error);
	}
	outcome.hasCreated = subject.hasWritten;
	if (!subject.hasWritten) return;
	onStep('Cleaning up');
	const left = await cleanUp(unstoppable, subject);
	if (left !== undefined) outcome.left = left;
	if (subject.isForeign) outcome.left = REACTIVATED;
}

/** Without look-ups by email, the probe could not find its own record again. */
function refuseWithoutLookUps({ lookups }: ProbedReading): void {
	const { byEmail, identity } = lookups;
	if (byEmail === undefined || !isTelling(byEmail)) return;
	const record = byEmail.status === 200 ? recordOf(byEmail, 'subscriber') : undefined;
	if (record !== undefined && identityOf(record) === identity) return;
	throw new CannotGoOn(
		`It wrote nothing, because Supercast answered a look-up by email with ${inWords(byEmail)}`,
	);
}

const REACTIVATED = `Check the subscriber with that address in Supercast. The probe may have opened their feed and set their customer_id to "${CUSTOMER_ID}".`;

function stopReason(error: unknown): string {
	if (error instanceof Interrupted) return 'You stopped the probe.';
	if (error instanceof RealMember) {
		return `The address seems to belong to a member (${error.message}). Choose an address that no subscriber has.`;
	}
	if (error instanceof CannotGoOn) return `The probe stopped early. ${error.message}.`;
	if (error instanceof Unreachable) return `Supercast could not be reached (${error.message}).`;
	// Whatever goes wrong, the probe still cleans up and reports.
	return `The probe failed (${String(error)}). Report this as a bug.`;
}

/** Checks that the base URL leads to the API, and that it accepts the token. */
async function beSureItResponds(service: Service): Promise<void> {
	const channel = await service.ask('/channel');
	if (isUsable(channel)) return;
	// The token may be valid, but not for reading the channel.
	const episodes = [403, 404].includes(channel.status) ? await service.ask('/episodes') : channel;
	if (!isUsable(episodes)) throw new CannotGoOn(refusal(channel));
}

const isUsable = ({ status, form }: Answer): boolean => status === 200 && form === 'JSON';

function refusal(answer: Answer): string {
	const { status, form, headers } = answer;
	if (status === 0) return `Supercast could not be reached: ${form}`;
	if (status === 401) return 'Supercast does not know this token (401)';
	if (status === 429 || status >= 500) {
		return `Supercast is not available at the moment (${inWords(answer)}). Run the probe again later`;
	}
	if (status === 403 && form === 'JSON')
		return 'This token is not allowed to read the channel (403)';
	const remedy = 'Enter the whole address up to the version, such as https://supercast.tech/api/v1';
	const isMoved = status >= 300 && status < 400;
	const seen = isMoved ? `${status}, to ${headers.location ?? 'another address'}` : inWords(answer);
	return `The base URL does not lead to Supercast's API (${seen}). ${remedy}`;
}
