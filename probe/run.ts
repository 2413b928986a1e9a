import { cleanUp } from './evidence/cleanUp';
import { provokeLimit } from './evidence/limit';
import { read } from './evidence/reading';
import { CUSTOMER_ID, CannotGoOn, Interrupted, RealMember, ProbedPerson } from './evidence/subject';
import { write, type Writing } from './evidence/writing';
import type { Evidence } from './finding';
import { Service, Unreachable, type World } from './service';

/** The probe's orders. */
export interface Task {
	baseUrl: string;
	token: string;
	/** The address to write to, in lower case. Without it, the probe writes nothing. */
	write?: string;
	/** Whether to provoke the limit. */
	limit: boolean;
	requestsPerMinute?: number;
	/** Stops the probe. It still cleans up what it created. */
	signal?: AbortSignal;
	/** Gets a message about the next step. */
	onStep?: (step: string) => void;
	/** Asks whether to write, once it is known that nobody has the address. */
	mayWrite?: () => Promise<boolean>;
	mayProvoke?: () => Promise<boolean>;
}

/** How the probe ended. */
export interface ProbeOutcome {
	evidence: Evidence;
	requests: number;
	/** Why it ended early, in a sentence. */
	stopped?: string;
	/** What it could not clean up, in words. */
	left?: string;
}

/**
 * Finds out as much as possible.
 *
 * @throws Unreachable when Supercast does not respond, CannotGoOn when it does not accept the
 * token.
 */
export async function probe(task: Task, world: World): Promise<ProbeOutcome> {
	const { onStep = () => undefined } = task;
	const service = new Service(
		task.baseUrl,
		task.token,
		stoppable(world, task.signal),
		task.requestsPerMinute,
	);
	onStep('Reading (about a minute)');
	const channel = await service.ask('/channel');
	if (channel.status !== 200) throw new CannotGoOn(refusal(channel.status));
	const outcome: ProbeOutcome = { evidence: { reading: await read(service) }, requests: 0 };
	// Cleaning up continues when the rest is stopped.
	const unstoppable = new Service(task.baseUrl, task.token, world, task.requestsPerMinute);
	if (task.write !== undefined) await writing(task, { service, unstoppable, outcome });
	const goOn = outcome.stopped === undefined && task.limit;
	if (goOn && (await (task.mayProvoke?.() ?? true))) {
		onStep('Sending requests until Supercast refuses one');
		outcome.evidence.limit = await provokeLimit(service);
	}
	outcome.requests = service.requests + unstoppable.requests;
	return outcome;
}

interface Services {
	service: Service;
	unstoppable: Service;
	outcome: ProbeOutcome;
}

async function writing(task: Task, { service, unstoppable, outcome }: Services): Promise<void> {
	const { onStep = () => undefined, write: email = '', signal } = task;
	const subject = new ProbedPerson(service, email, signal);
	const seen: Writing = { feeds: {} };
	try {
		await subject.beSureItIsNobody(outcome.evidence.reading.lists.subscribers?.rows ?? []);
		if (!(await (task.mayWrite?.() ?? true))) return;
		onStep('Writing (about a minute)');
		outcome.evidence.writing = seen;
		await write(service, subject, seen);
	} catch (error) {
		outcome.stopped = stopReason(error);
	}
	if (!subject.hasWritten) return;
	onStep('Cleaning up');
	const left = await cleanUp(unstoppable, subject);
	if (left !== undefined) outcome.left = left;
	if (subject.isForeign) outcome.left = REACTIVATED;
}

const REACTIVATED = `Check the subscriber with that address in Supercast. The probe may have opened their feed and set their customer_id to "${CUSTOMER_ID}".`;

function stopReason(error: unknown): string {
	if (error instanceof Interrupted) return 'You stopped the probe.';
	if (error instanceof RealMember) {
		return `The address seems to belong to a member (${error.message}). Choose an address that no subscriber has.`;
	}
	if (error instanceof CannotGoOn) return `The probe stopped early. ${error.message}.`;
	if (error instanceof Unreachable) return `Supercast could not be reached (${error.message}).`;
	throw error;
}

function refusal(status: number): string {
	if (status === 401) return 'Supercast does not know this token (401)';
	if (status === 403) return 'This token is not allowed to read the channel (403)';
	const remedy = 'Enter the whole address up to the version, such as https://supercast.tech/api/v1';
	return `The base URL does not lead to Supercast's API (${status}). ${remedy}`;
}

/** A world whose waits end when the probe is stopped. */
function stoppable(world: World, signal: AbortSignal | undefined): World {
	if (signal === undefined) return world;
	const stopped = new Promise<never>((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(new Interrupted()));
	});
	// The signal may come while nothing waits.
	stopped.catch(() => undefined);
	return {
		...world,
		sleep: async (ms) => {
			if (signal.aborted) throw new Interrupted();
			await Promise.race([world.sleep(ms), stopped]);
		},
	};
}
