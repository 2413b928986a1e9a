import { InputError } from '../../api/errors/errors';
import type {
	ListHint,
	ListItem,
	ListOperation,
	ListReader,
	ListResult,
	ListTask,
	ListTools,
} from '../../operations/types';
import { readMember } from './sync/members';
import { perform } from './sync/perform';
import { makePlan } from './sync/planner';
import { syncOptions, syncProperties } from './sync/properties';
import { REASONS } from './sync/reasons';
import { report } from './sync/report';
import { rawSettings, readSettings, type RawSettings } from './sync/settings';
import { readSubscribers } from './sync/subscribers';
import type { Member, SyncSettings } from './sync/types';

/** Makes the subscribers match the list of members in the input items. */
export const sync: ListOperation = {
	name: 'Sync',
	action: 'Sync subscribers with a list of members',
	description:
		'Make the subscribers match a list of members: open feeds for members, and close the feeds of those who left. Dry Run is on by default.',
	properties: syncProperties,
	options: syncOptions,
	startList: () => new SyncReader(),
};

/** Reads the list of members, and the settings that must be the same for all items. */
class SyncReader implements ListReader {
	private readonly members: Member[] = [];

	private settings: RawSettings | undefined;

	private settingsText: string | undefined;

	/** Why the settings are invalid, regardless of the rows. */
	private refusal: Error | undefined;

	add(index: number, item: ListItem): void {
		this.noteSettings(item);
		this.members.push(readMember(index, item));
	}

	finish(badItems: number): ListTask {
		if (this.refusal !== undefined) throw this.refusal;
		if (this.settings === undefined || this.members.length === 0) {
			throw new InputError(
				'The list has no valid members',
				"Check the node that reads the list. An empty list would close everyone's feeds.",
			);
		}
		const settings = readSettings(this.settings);
		return { run: async (tools) => await runSync(this.members, settings, badItems, tools) };
	}

	/**
	 * Compares the settings of all items, because even an invalid row can show that they differ.
	 */
	private noteSettings({ parameters }: ListItem): void {
		try {
			const settings = rawSettings(parameters);
			this.settings ??= settings;
			const choice = [parameters.parameter('resource'), parameters.parameter('operation')];
			const text = JSON.stringify([choice, settings]);
			this.settingsText ??= text;
			if (text !== this.settingsText) this.refusal ??= differentSettings();
		} catch (error) {
			this.refusal ??= error as Error;
		}
	}
}

function differentSettings(): InputError {
	return new InputError(
		'The settings of Sync are not the same for all items',
		"Only 'Email', 'Customer ID' and 'Additional Fields' may differ between items. In the other settings, don't use expressions that read the item.",
	);
}

async function runSync(
	members: readonly Member[],
	settings: SyncSettings,
	badItems: number,
	tools: ListTools,
): Promise<ListResult> {
	const fieldNames = new Set(members.flatMap(({ fields }) => Object.keys(fields)));
	const { subscribers, isComplete } = await readSubscribers(tools.client, fieldNames);
	const readInFull = isComplete ? undefined : REASONS.incomplete;
	const withheld = badItems > 0 ? REASONS.badItems : readInFull;
	const plan = makePlan({
		members,
		subscribers,
		settings,
		now: tools.now,
		...(withheld === undefined ? {} : { closingsWithheld: withheld }),
	});
	const { exceeded } = plan.limits;
	if (exceeded !== undefined && !settings.dryRun) {
		throw new InputError(exceeded.message, exceeded.description);
	}
	const outcomes = settings.dryRun
		? plan.decisions.map((decision) => ({ decision }))
		: await perform(plan.decisions, { tools, settings, fieldNames });
	return report({
		outcomes,
		limits: plan.limits,
		settings,
		planned: plan.decisions,
		notes: [...withheldNote(withheld), ...prefixNote(members, settings)],
	});
}

function withheldNote(withheld: string | undefined): ListHint[] {
	if (withheld === undefined) return [];
	return [warning(`Sync closes no feeds in this run (${withheld}).`)];
}

/**
 * Warns about members whose ID does not have the prefix, because Sync could never close their
 * feeds.
 */
function prefixNote(members: readonly Member[], { customerIdPrefix }: SyncSettings): ListHint[] {
	const outside = members.filter(({ customerId }) => !customerId.startsWith(customerIdPrefix));
	if (outside.length === 0) return [];
	return [
		warning(
			`Members on the list without a customer ID that begins with "${customerIdPrefix}": ${outside.length}. Sync will not close their feeds when they leave.`,
		),
	];
}

function warning(message: string): ListHint {
	return { type: 'warning', message };
}
