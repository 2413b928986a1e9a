import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { stopAll } from '../../harness/system/processes';
import { runFolder } from '../../harness/system/runFolder';
import type { Instance } from '../../harness/n8n/server';
import { idHash } from '../../../nodes/Supercast/trigger/knownIds';
import { createSandbox, type Sandbox } from '../../../simulators/supercast';
import { seededRandom, type Random } from '../../../simulators/supercast/data/random';
import { killOutright, launch, readDatabase, triggerInstance } from './triggerInstance';

/** The options of a run. */
export interface KillOptions {
	kills: number;
	/** For the random times and alerts. */
	seed: number;
	say: (text: string) => void;
}

/** The results of a run. */
export interface Outcome {
	raised: number;
	/** Alerts that started no execution. */
	lost: string[];
	/** Alerts from before the workflow was published that were announced. */
	announcedThoughExisting: number;
}

/** Alerts from before the workflow is published. They are not announced. */
const existing = 5;
const longestLife = 40_000;
const quietTime = 12_000;

/**
 * Kills a real n8n again and again while alerts arrive and its trigger polls. Counts which alerts
 * started an execution.
 */
export async function killAgainAndAgain(options: KillOptions): Promise<Outcome> {
	const random = seededRandom(options.seed);
	const sandbox = await createSandbox({
		usageAlerts: existing,
		ids: 'uuid',
		order: 'newest',
		rateLimit: 0,
	});
	const userFolder = runFolder('trigger-kills');
	try {
		const instance = await triggerInstance(sandbox, userFolder);
		const raised = await liveAndDie(instance, sandbox, random, options);
		await lastLife(instance, sandbox);
		return count(instance, sandbox, raised);
	} finally {
		await stopAll();
		await sandbox.close();
		rmSync(userFolder, { recursive: true, force: true });
	}
}

async function liveAndDie(
	instance: Instance,
	sandbox: Sandbox,
	random: Random,
	{ kills, say }: KillOptions,
): Promise<Set<string>> {
	const raised = new Set<string>();
	await firstLife(instance, sandbox);
	let isOver = false;
	const raising = (async () => {
		while (!isOver) {
			const alerts = sandbox.controls.addUsageAlerts(1 + Math.floor(random() * 3));
			for (const { id } of alerts) raised.add(String(id));
			await sleep(500 + random() * 3_000);
		}
	})();
	for (let kill = 1; kill <= kills; kill++) {
		const program = launch(instance);
		const started = Date.now();
		const polls = listRequests(sandbox);
		const gap = rememberedOnly(instance, raised);
		if (gap > 0) say(`n8n had remembered ${gap} alerts and written no execution`);
		await sleep(random() * longestLife);
		await killOutright(program);
		const life = ((Date.now() - started) / 1000).toFixed(1);
		say(`kill ${kill}: after ${life} s and ${listRequests(sandbox) - polls} polls`);
	}
	isOver = true;
	await raising;
	return raised;
}

/** n8n must save the activation once. Until then it has no memory at all. */
async function firstLife(instance: Instance, sandbox: Sandbox): Promise<void> {
	const program = launch(instance);
	while (readMemory(instance) === '' || listRequests(sandbox) < 2) await sleep(500);
	await program.stop();
}

/** Waits until the trigger has had time to announce the rest. */
async function lastLife(instance: Instance, sandbox: Sandbox): Promise<void> {
	const program = launch(instance);
	const before = listRequests(sandbox);
	while (listRequests(sandbox) < before + 2) await sleep(500);
	await sleep(quietTime);
	await program.stop();
}

/** How many alerts are announced in n8n's memory, but in no execution. */
function rememberedOnly(instance: Instance, raised: Set<string>): number {
	const { executions, memory } = readDatabase(instance);
	return [...raised].filter(
		(id) => memory.includes(idHash(id)) && !executions.some((data) => data.includes(id)),
	).length;
}

function count(instance: Instance, sandbox: Sandbox, raised: Set<string>): Outcome {
	const { executions } = readDatabase(instance);
	const announcements = new Map<string, number>();
	const ids = sandbox.controls.state().usageAlerts.map(({ id }) => String(id));
	for (const data of executions) {
		for (const id of ids.filter((one) => data.includes(one))) {
			announcements.set(id, (announcements.get(id) ?? 0) + 1);
		}
	}
	const times = (id: string): number => announcements.get(id) ?? 0;
	return {
		raised: raised.size,
		lost: [...raised].filter((id) => times(id) === 0),
		announcedThoughExisting: ids.filter((id) => !raised.has(id) && times(id) > 0).length,
	};
}

function readMemory(instance: Instance): string {
	try {
		return readDatabase(instance).memory;
	} catch {
		// The database does not exist yet.
		return '';
	}
}

function listRequests(sandbox: Sandbox): number {
	return sandbox.stats().byRoute['GET /usage_alerts']?.['200'] ?? 0;
}
