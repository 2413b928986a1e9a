/** The page of a run: what happened yesterday, or what a real run would do. Then what needs a person. */

import type { AccessDecision } from '../../access/rules';
import type { SyncSettings } from '../../access/settings';
import type { SyncPlan } from '../../access/sync/plan';
import { isEmptyBlock, type Block, type Tone } from './blocks';
import { chartBlock, dayBlocks, lightsBlock, stopsBlock, type DayFacts } from './day';
import {
	changesBlock,
	conflictsBlock,
	durationText,
	keptBlock,
	leftBeforeBlocks,
	plannedBlocks,
	type RunNumbers,
} from './run';

export interface PageFacts {
	numbers: RunNumbers;
	plan: SyncPlan;
	settings: SyncSettings;
	/** Decisions that a person must make. */
	conflicts: readonly AccessDecision[];
	/** Sentences about what is not as it should be. */
	warnings: readonly string[];
	/** Only after a real run. */
	day?: DayFacts;
	/** How many requests a minute the credential allows. 0 for no limit. */
	perMinute: number;
}

const DRY_RUN =
	"This was a dry run, so nothing changed in Supercast. To make these changes, turn off 'Dry Run' in the node Sync.";

export function pageOf(facts: PageFacts): Block[] {
	const { numbers, plan, settings, conflicts, warnings, day } = facts;
	const { exceeded } = plan;
	const needed = [
		conflictsBlock(conflicts),
		...(day === undefined ? [] : [stopsBlock(day)]),
		...warnings.map(attention),
	];
	return [
		...(settings.dryRun ? [attention(DRY_RUN)] : []),
		attention(exceeded === undefined ? '' : `${exceeded.message}. ${exceeded.description}`),
		...(settings.dryRun ? dryRunBlocks(facts) : []),
		...(day === undefined ? [] : dayBlocks(day)),
		...needed,
		...(day === undefined ? [] : [chartBlock(day), lightsBlock(day, lightOf(numbers, needed))]),
		changesBlock(numbers, settings.dryRun),
		keptBlock(numbers),
	];
}

function dryRunBlocks({ numbers, plan, settings, perMinute }: PageFacts): Block[] {
	const { decisions, planned, inScope, missing } = plan;
	const subscribers = decisions.length;
	const limits = { ...settings, inScope, missing: missing.length };
	return [
		...plannedBlocks(decisions, numbers.open),
		attention(durationText(planned, { subscribers, perMinute })),
		...leftBeforeBlocks(decisions, limits),
	];
}

function attention(text: string): Block {
	return { kind: 'words', text, tone: 'attention' };
}

/** How the run went, in a few words. */
function lightOf({ failed }: RunNumbers, needed: readonly Block[]): { tone: Tone; text: string } {
	if (failed > 0) return { tone: 'closed', text: `${failed} failed` };
	return needed.every(isEmptyBlock)
		? { tone: 'open', text: 'everything in order' }
		: { tone: 'attention', text: 'see what is marked above' };
}
