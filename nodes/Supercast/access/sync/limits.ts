/** When Sync refuses to run, because its plan shows that the list is probably wrong. */

import { InputError } from '../../api/errors/errors';
import { percentFor, type SyncSettings } from '../settings';
import { FEW } from './list/checks';
import { tooManyMoves } from './list/moving';
import type { SyncPlan } from './plan';

/** Why the run is refused, and what to do. Undefined if it may run. */
export function whyRefused(plan: SyncPlan, settings: SyncSettings): InputError | undefined {
	const { listed, unclear } = plan;
	if (unclear >= FEW && unclear > listed / 2) {
		return new InputError(
			`Sync would find conflicts for ${unclear} of the ${listed} members on the list`,
			"Check 'Email' and 'Customer ID'. They must be the ones that Supercast has. If you have moved to another membership system, first replace the customer IDs in Supercast. The documentation of Sync says how.",
		);
	}
	const moving = tooManyMoves(plan.decisions, settings);
	if (moving !== undefined) return moving;
	const exceeded = [tooManyClosings(plan, settings), tooManyOpenings(plan, settings)].filter(
		(one) => one !== undefined,
	);
	if (exceeded.length === 0) return undefined;
	return recognizesNobody(plan) ?? limitError(exceeded);
}

/** A list of strangers has wrong columns. Advice about a limit would close everyone's feed. */
function recognizesNobody({
	decisions,
	newlyMissing,
	maxClosings,
	inScope,
}: SyncPlan): InputError | undefined {
	const isKnown = decisions.some(({ member, subscriber }) => member && subscriber);
	if (isKnown || newlyMissing < FEW || newlyMissing <= maxClosings) return undefined;
	return new InputError(
		`Sync would close the feeds of ${newlyMissing} of ${inScope} subscribers, but the limit is ${maxClosings}, and it recognizes nobody on the list`,
		"Check 'Email' and 'Customer ID'. They must be the ones that Supercast has. If all members are new, first close the old feeds with Feed: Deactivate.",
	);
}

function limitError(exceeded: readonly Exceeded[]): InputError {
	const sentences = exceeded.map(({ sentence }) => sentence);
	const remedies = exceeded.flatMap((one) => one.remedies);
	return new InputError(
		`Sync would ${sentences.join('. It would ')}`,
		`First check that the list of members is complete. If it is, set ${remedies.join(' and ')}. Until then, Sync neither opens nor closes feeds.`,
	);
}

/** A limit that a plan exceeds, and the settings that would allow it. */
interface Exceeded {
	sentence: string;
	remedies: string[];
}

/** If a list loses many members at the same time, it is probably wrong. */
function tooManyClosings(
	{ newlyMissing, inScope, byPercent, maxClosings }: SyncPlan,
	{ closeAfter, maxClose = Infinity }: SyncSettings,
): Exceeded | undefined {
	if (newlyMissing <= maxClosings) return undefined;
	const runs = closeAfter === 1 ? 'for one run' : `for ${closeAfter} runs`;
	return {
		sentence: `close the feeds of ${newlyMissing} of ${inScope} subscribers, but the limit is ${maxClosings}`,
		remedies: [
			newlyMissing > byPercent
				? `'Max Close (%)' to ${percentFor(newlyMissing, inScope)} ${runs}`
				: '',
			newlyMissing > maxClose ? `'Max Close' to ${newlyMissing} ${runs}` : '',
		].filter((remedy) => remedy !== ''),
	};
}

function tooManyOpenings(
	{ planned }: SyncPlan,
	{ maxOpen = Infinity }: SyncSettings,
): Exceeded | undefined {
	const openings = planned.created + planned.reopened;
	if (openings <= maxOpen) return undefined;
	return {
		sentence: `open ${openings} ${openings === 1 ? 'feed' : 'feeds'}, but the limit is ${maxOpen}`,
		remedies: [`'Max Open' to ${openings} for one run`],
	};
}
