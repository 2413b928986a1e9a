/** A day in a channel: what a membership system does, what the node says, and what is true then. */

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialsDecrypted, IDataObject, INodeParameters } from 'n8n-workflow';

import { Supercast } from '../../../nodes/Supercast/Supercast.node';
import type { Sandbox, Subscriber } from '../../../simulators/supercast';
import { runSupercast, type RunResult } from '../../harness/engine';
import { renewCredentialId } from '../../harness/engine/credentialsHelper';
import { addMembers, memberListOf, runSync, SET_ACCESS } from '../members';
import { credentialOf } from '../sandbox';
import { TriggerServer } from '../triggerServer';
import { secondsOf, told, outcomeText } from './words';

/** `right`: as wanted. `loud`: not as wanted, and the node says so. `silent`: it does not say so. */
export type Class = 'loud' | 'right' | 'silent';

export interface DayStep {
	name: string;
	class: Class;
	/** What the node said. */
	words: string;
}

export interface PlayedDay {
	steps: DayStep[];
	/** People whose feeds were closed although nobody wanted it. */
	wronglyClosed: string[];
	/** Emails with several records. */
	duplicates: string[];
}

const SIZE = 40;
const joiner = { email: 'joy@example.com', id: 'c-joy' };
const newcomer = { email: 'new@example.com', id: 'c-new' };
const by = (value: string) => ({ __rl: true, mode: 'email', value });

/** The members by what they do on this day. */
interface Cast {
	all: Subscriber[];
	leaver: Subscriber;
	back: Subscriber;
	backBySync: Subscriber;
	leaverBySync: Subscriber;
	deleted: Subscriber;
	renamed: Subscriber;
	leaverByFeed: Subscriber;
}

function castOf(sandbox: Sandbox): Cast {
	const all = addMembers(sandbox, SIZE, (index) => ({
		...{ customer_id: `c-${index}`, last_name: 'Lee' },
		...(index === 1 || index === 2 ? { state: 'deactivated' } : {}),
	}));
	const [leaver, back, backBySync, leaverBySync, deleted, renamed, leaverByFeed] = all as [
		...[Subscriber, Subscriber, Subscriber, Subscriber, Subscriber, Subscriber, Subscriber],
	];
	return { all, leaver, back, backBySync, leaverBySync, deleted, renamed, leaverByFeed };
}

/** Plays the day. */
export async function playDay(sandbox: Sandbox): Promise<PlayedDay> {
	renewCredentialId();
	const cast = castOf(sandbox);
	const player = new Player(sandbox, cast);
	await player.testCredential();
	await player.activateTriggers();
	await player.setAccess();
	await player.others();
	await player.sync();
	await player.pollTriggers();
	await player.deleteOne();
	const { leaver, leaverBySync, leaverByFeed, deleted } = cast;
	const mayClose = [leaver, leaverBySync, leaverByFeed, deleted].map(({ uuid }) => uuid);
	const closed = sandbox.state.subscribers.filter(
		({ uuid, state }) => state === 'deactivated' && !mayClose.includes(uuid),
	);
	const wasClosed = [cast.back, cast.backBySync].map(({ uuid }) => uuid);
	const emails = sandbox.state.subscribers.map(({ email }) => email.toLowerCase());
	return {
		steps: player.steps,
		wronglyClosed: closed.filter(({ uuid }) => !wasClosed.includes(uuid)).map((one) => one.email),
		duplicates: emails.filter((email, index) => emails.indexOf(email) !== index),
	};
}

/** Longer than any of these services hides a new record. */
const VISIBLE_MS = 25;

class Player {
	readonly steps: DayStep[] = [];
	private readonly triggers = new Map<string, TriggerServer>();
	/** What a trigger said at its activation. */
	private readonly refusals = new Map<string, string>();

	constructor(
		private readonly sandbox: Sandbox,
		private readonly cast: Cast,
	) {}

	async testCredential(): Promise<void> {
		const { credentialTest } = new Supercast().methods;
		const credential = { data: credentialOf(this.sandbox) } as unknown as ICredentialsDecrypted;
		const context = new CredentialTestContext(undefined);
		const { status, message } = await credentialTest.testAccessToken.call(context, credential);
		this.note('credential', status === 'OK', status === 'OK' ? '' : message);
	}

	async activateTriggers(): Promise<void> {
		for (const event of ['subscriberCreated', 'subscriberStateChanged', 'usageAlertCreated']) {
			const server = new TriggerServer(this.sandbox, { parameters: { event } });
			this.triggers.set(event, server);
			this.refusals.set(event, await outcomeText(server.activate()));
		}
	}

	async setAccess(): Promise<void> {
		const { back, leaver } = this.cast;
		const open = await this.run({ ...SET_ACCESS }, { access: 'open', ...joiner });
		this.note('join', this.isOpen(joiner.email), told(open));
		const returned = { access: 'open', email: back.email, id: back.customer_id };
		const reopened = await this.run({ ...SET_ACCESS }, returned);
		this.note('return', this.isOpen(back.email), told(reopened));
		const left = { access: 'close', email: leaver.email, id: leaver.customer_id };
		const closed = await this.run({ ...SET_ACCESS }, left);
		this.note('leave', !this.isOpen(leaver.email), told(closed));
	}

	async others(): Promise<void> {
		const { leaverByFeed, renamed } = this.cast;
		const deactivate = { resource: 'feed', operation: 'deactivate' };
		const closed = await this.run({ ...deactivate, subscriber: by(leaverByFeed.email) });
		this.note('deactivate', !this.isOpen(leaverByFeed.email), told(closed));
		const updated = await this.run({
			...{ resource: 'subscriber', operation: 'upsert', email: renamed.email },
			additionalFields: { lastName: 'Ray' },
		});
		const isRenamed = this.held(renamed.email)?.last_name === 'Ray';
		this.note('update', isRenamed, told(updated));
	}

	async sync(): Promise<void> {
		const { all, leaver, leaverBySync, leaverByFeed, backBySync } = this.cast;
		const gone = [leaver, leaverBySync, leaverByFeed];
		const list = [...memberListOf(all.filter((one) => !gone.includes(one))), joiner, newcomer];
		const dry = await runSync(this.sandbox, list, { dryRun: true });
		this.note('dry Sync', this.isPlanned(dry), told(dry));
		const real = await runSync(this.sandbox, list);
		const words = told(real);
		this.note('Sync opens new', this.isOpen(newcomer.email), words);
		this.note('Sync reopens', this.isOpen(backBySync.email), words);
		this.note('Sync closes', !this.isOpen(leaverBySync.email), words);
	}

	private isPlanned({ output }: RunResult): boolean {
		const { backBySync, leaverBySync } = this.cast;
		const did = (action: string, { email, id }: IDataObject): boolean =>
			output.some(
				({ json }) =>
					json.action === action &&
					(json.customer_id === id || String(json.email).toLowerCase() === email),
			);
		const [back, leaver] = memberListOf([backBySync, leaverBySync]);
		return did('created', newcomer) && did('reopened', back ?? {}) && did('closed', leaver ?? {});
	}

	async pollTriggers(): Promise<void> {
		const { back, backBySync, leaver, leaverByFeed, leaverBySync } = this.cast;
		const changed = [back, backBySync, leaver, leaverByFeed, leaverBySync];
		const times = this.sandbox.controls
			.addUsageAlerts(2)
			.map(({ created_at: at }) => secondsOf(at));
		await new Promise((resolve) => setTimeout(resolve, VISIBLE_MS));
		// An item lacks the email if Supercast does not show it.
		const emails = (items: IDataObject[]): string[] => items.map((item) => this.emailOf(item));
		const happened = changed.filter(({ email, uuid }) => {
			const wasOpen = uuid !== back.uuid && uuid !== backBySync.uuid;
			return this.isOpen(email) !== wasOpen;
		});
		const added = [joiner.email, newcomer.email].filter((email) => this.held(email));
		await this.poll('subscriberCreated', added, emails);
		const names = happened.map(({ email }) => email);
		await this.poll('subscriberStateChanged', names, emails);
		await this.poll('usageAlertCreated', times, (items) =>
			items.map(({ created_at: at }) => secondsOf(at)),
		);
	}

	async deleteOne(): Promise<void> {
		const { email } = this.cast.deleted;
		const result = await this.run({
			...{ resource: 'subscriber', operation: 'delete', subscriber: by(email) },
			options: { ifMissing: 'succeed' },
		});
		this.note('delete', !this.isOpen(email), told(result));
	}

	private async poll(
		event: string,
		expected: readonly string[],
		namesOf: (items: IDataObject[]) => string[],
	): Promise<void> {
		const server = this.triggers.get(event);
		const refusal = this.refusals.get(event) ?? '';
		let words = refusal;
		for (let round = 0; round < 2 && words === '' && server !== undefined; round++) {
			words = await outcomeText(server.poll());
		}
		const seen = namesOf(server?.items ?? []).sort();
		this.note(`trigger ${event}`, seen.join() === [...expected].sort().join(), words);
	}

	private async run(parameters: INodeParameters, item: IDataObject = {}): Promise<RunResult> {
		return await runSupercast({
			...{ parameters, credential: credentialOf(this.sandbox), items: [item] },
		});
	}

	private emailOf({ uuid, email }: IDataObject): string {
		const held = this.sandbox.state.subscribers.find((one) => one.uuid === uuid);
		return (held?.email ?? String(email)).toLowerCase();
	}

	private held(email: string): Subscriber | undefined {
		return this.sandbox.state.subscribers.find((one) => one.email.toLowerCase() === email);
	}

	private isOpen(email: string): boolean {
		return this.held(email)?.state === 'available';
	}

	private note(name: string, isRight: boolean, words: string): void {
		const unlike = words === '' ? 'silent' : 'loud';
		this.steps.push({ name, class: isRight ? 'right' : unlike, words });
	}
}
