import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../api/errors/errors';
import type { ItemParameters } from '../../operations/types';
import { afterUncounted, ListCounter, type ListMemory } from './memory/absences';
import { noteRun, type DiaryBook } from './diary/keep';
import { countCannotClose } from './leaving';
import { NewMembers } from './newMembers';
import { match, type DesiredMember } from '../match';
import { performAll } from './perform';
import { FEW, refuseOneEmail, refuseOtherPrefixes } from './list/checks';
import { namelessItem, unknownMembers, wrongColumn, type ListItem } from './list/columns';
import { missingPartOf, missingPartWarning } from './list/missingPart';
import { readSubscriberList, type Reading, type ReadingTools } from './list/reading';
import { countWarning, shortListOf, type ShortList } from './list/wholeList';
import {
	clockWarning,
	closingWarning,
	forgottenWarning,
	heldWarning,
	stillOpenWarning,
	stuckWarning,
	UNLISTED_WARNING,
} from './warnings';
import { whyRefused } from './limits';
import { planSync, type SyncPlan } from './plan';
import { newlyHeld, writtenIn } from './memory/written';
import { report, type SyncResult } from './report';
import type { AppliedDecision } from '../apply';
import { readPerson, readSettings, SETTINGS, type SyncSettings } from '../settings';

export interface SyncTools extends ReadingTools {
	settings: SyncSettings;
	/** When the workflow began to read the list from its source, according to `now`. */
	readAt: number;
	/** The moment of `readAt`, on the clock of the client's decisions. */
	cameAt: number;
	/** What happened on the days before. */
	diary: DiaryBook;
	/** How many requests a minute the credential allows. 0 for no limit. */
	perMinute: number;
	/** What earlier runs of this node remembered. */
	memory: ListMemory;
	remember: (memory: ListMemory) => void;
	/** Works on several things at a time. Stops at the first error. */
	forEach: <T>(things: readonly T[], work: (thing: T) => Promise<void>) => Promise<void>;
	/** Lets n8n do other work between two computations. */
	rest: () => Promise<void>;
	isStopped: () => boolean;
}

/** A run of Sync: collects the members on the list, checks the list, and makes Supercast match it. */
export class Sync {
	private readonly members: DesiredMember[] = [];

	/** The settings of the items, which must all be the same, and an item that has them. */
	private readonly settings = new Map<string, ItemParameters>();

	/** The items that no earlier node reports as failed. */
	private readonly rows: ListItem[] = [];

	/** How many items without any field the list has. */
	private emptyItems = 0;

	/** @param size How many items the list has. */
	constructor(private readonly size: number) {}

	/** Throws InputError if the item is not a member. */
	add(index: number, item: ItemParameters, json: IDataObject): void {
		const { error } = json;
		// Even an invalid row can show that the settings differ.
		this.settings.set(JSON.stringify(SETTINGS.map((name) => item.parameter(name))), item);
		// An item that failed in an earlier node may still contain a member's email.
		if (error !== undefined && error !== null && error !== '' && error !== false) {
			throw new InputError(
				'The item reports that an earlier node failed, so it is not a member',
				'Fix the earlier node, and connect only its success output to Sync.',
			);
		}
		this.rows.push({
			json,
			email: item.parameter('email'),
			customerId: item.parameter('customerId'),
		});
		const member = readPerson(item, 'Sync');
		const isNobody = member.email === '' && member.customerIds.length === 0;
		if (!isNobody) this.members.push({ ...member, items: [index] });
		// With "Always Output Data", n8n sends one empty item for each branch without items.
		else if (Object.keys(json).length === 0 && this.emptyItems < FEW) this.emptyItems += 1;
		else throw namelessItem(json);
	}

	/** Throws InputError if most items name nobody, because a column is wrong. */
	refuseWrongColumn(): void {
		const error = wrongColumn(this.rows);
		if (error !== undefined) throw error;
	}

	/** Reads the settings, and checks the list as a whole. Throws InputError if either is invalid. */
	check(): SyncSettings {
		if (this.settings.size > 1) {
			throw new InputError(
				'The settings of Sync are not the same for all items',
				"Only 'Email', 'Customer ID' and 'Additional Fields' may differ between items. In the other settings, don't use expressions that read the item.",
			);
		}
		const { members } = this;
		const [item] = this.settings.values();
		if (members.length === 0 || item === undefined) {
			throw new InputError(
				'The list has no valid members',
				'Sync never treats an empty list as the end of all memberships. Check the node that reads the list, and the filter after it. If nobody is a member any more, close the feeds with Feed: Deactivate.',
			);
		}
		const settings = readSettings(item);
		refuseOtherPrefixes(members, settings.customerIdPrefix);
		refuseOneEmail(members);
		return settings;
	}

	/** @throws ServiceError or InputError if it fails before the first change. */
	async run(tools: SyncTools): Promise<SyncResult> {
		// Runs take hours if there are many new members.
		const stopKeeping = tools.client.channel.ledger.keepSince(tools.cameAt);
		return await this.runOnce(tools).finally(stopKeeping);
	}

	private async runOnce(tools: SyncTools): Promise<SyncResult> {
		const { settings, rest } = tools;
		const short = shortListOf(settings, tools.memory.shortLists);
		const reading = await readSubscriberList(tools, short !== undefined);
		const lists = new ListCounter(tools.memory, tools);
		const facts = { now: reading.time, lists, noClosingReason: reading.noClosingReason };
		await rest();
		const subscribers = reading.list.taken;
		const people = match(this.members, subscribers);
		await rest();
		const plan = planSync(people, subscribers, settings, facts);
		await rest();
		const exceeded =
			unknownMembers(plan.unknown, plan.listed, this.rows) ?? whyRefused(plan, settings);
		const run: PlannedRun = { reading, lists, plan, exceeded, short };
		if (settings.dryRun) {
			return runResult(tools, run, { outcomes: plan.decisions, areSomeUnlisted: false });
		}
		const done = await this.performAndRemember(tools, run);
		await rest();
		return runResult(tools, run, done, tools.diary);
	}

	/**
	 * Applies a plan, and remembers who was missing.
	 * @throws `exceeded`, if it is set, before the first change.
	 */
	private async performAndRemember(
		tools: SyncTools,
		{ reading, lists, plan, exceeded, short }: PlannedRun,
	): Promise<Done> {
		const { client, memory, receivedAt, remember } = tools;
		const { list, endedAt, strangeness, noClosingReason } = reading;
		if (exceeded !== undefined) throw exceeded;
		const isTrusted = strangeness === undefined && list.isComplete;
		const newMembers = new NewMembers(client, { ...list, isComplete: isTrusted });
		const all = { ...tools, settings: plan.rules, lists, newMembers, subscribersReadAt: endedAt };
		const { outcomes, notCreated, stuck } = await performAll(plan.decisions, all);
		const { areSomeUnlisted } = newMembers;
		const doesCount = noClosingReason === undefined && !areSomeUnlisted;
		const refused = notCreated.map(({ email }) => email);
		const after = doesCount
			? lists.after(plan, refused, stuck)
			: this.afterUncounted(memory, receivedAt);
		remember({ ...after, shortLists: short?.inARow ?? 0, written: writtenIn(outcomes) });
		return { outcomes, areSomeUnlisted };
	}

	/** What to remember after this list, if it does not count. */
	afterUncounted(memory: ListMemory, receivedAt: number): ListMemory {
		const isRead = this.members.length + this.emptyItems === this.size;
		return afterUncounted(memory, isRead ? this.members : undefined, receivedAt);
	}
}

/** What a real run works with. */
interface PlannedRun {
	reading: Reading;
	lists: ListCounter;
	plan: SyncPlan;
	/** Why the run is refused. Undefined if it is not. */
	exceeded?: InputError;
	short?: ShortList;
}

/** What a run has done, or would do. */
interface Done {
	outcomes: readonly AppliedDecision[];
	/** Whether the list of subscribers has turned out not to show everyone. */
	areSomeUnlisted: boolean;
}

/** Builds what a run returns, and notes the day's numbers in the diary, if there is one. */
function runResult(
	tools: SyncTools,
	{ reading, lists, plan, exceeded, short }: PlannedRun,
	{ outcomes, areSomeUnlisted }: Done,
	diary?: DiaryBook,
): SyncResult {
	const { settings, perMinute } = tools;
	const { list, endedAt, strangeness, noClosingReason } = reading;
	const held = newlyHeld(tools.memory.written, outcomes);
	const missingPart = missingPartOf(outcomes, plan.rules);
	const areAll = list.isComplete && strangeness === undefined;
	const seen = { at: tools.now(), readAt: endedAt, subscribers: list.taken, areAll, outcomes };
	return report({
		...{ outcomes, settings, short, missingPart, perMinute },
		plan: { ...plan, exceeded },
		cannotClose: countCannotClose(outcomes, plan.rules),
		closesNone: noClosingReason !== undefined || areSomeUnlisted,
		held: held.length,
		warnings: [
			closingWarning(reading),
			countWarning(settings, short),
			missingPartWarning(missingPart),
			areSomeUnlisted ? UNLISTED_WARNING : '',
			stillOpenWarning(outcomes),
			stuckWarning(outcomes),
			heldWarning(held),
			forgottenWarning(lists, plan),
			clockWarning(endedAt - reading.time),
		],
		day: diary && noteRun(diary, seen),
	});
}
