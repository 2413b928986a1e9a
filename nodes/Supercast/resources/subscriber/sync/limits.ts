import type { SyncDecision, SyncLimits, SyncSettings } from './types';

/** Compensates for floating-point rounding, so that 5% of 20 is 1. */
const TOLERANCE = 1e-9;

/**
 * Counts the planned closings and openings, and compares them with the limits.
 *
 * @param inScope How many available subscribers the settings allow Sync to close.
 */
export function limitsOf(
	decisions: SyncDecision[],
	inScope: number,
	settings: SyncSettings,
): SyncLimits {
	const { maxClose = Infinity, maxOpen } = settings;
	const counts = {
		closings: decisions.filter(({ action }) => action === 'closed').length,
		openings: decisions.filter(({ action }) => action === 'created' || action === 'reopened')
			.length,
	};
	const limits = {
		inScope,
		maxClosings: Math.min(maxClose, allowedByPercent(inScope, settings.maxClosePercent)),
		...(maxOpen === undefined ? {} : { maxOpenings: maxOpen }),
		...counts,
	};
	const exceeded = exceededBy(limits, settings);
	return exceeded === undefined ? limits : { ...limits, exceeded };
}

/** How many closings the percentage allows. It always allows one, unless it is 0. */
function allowedByPercent(inScope: number, percent: number): number {
	if (percent === 0) return 0;
	return Math.max(1, Math.floor((inScope * percent) / 100 + TOLERANCE));
}

function exceededBy(limits: SyncLimits, settings: SyncSettings): SyncLimits['exceeded'] {
	const { closings, maxClosings, inScope, openings, maxOpenings = Infinity } = limits;
	const sentences = [
		...(closings > maxClosings
			? [
					`close the feeds of ${closings} of ${inScope} subscribers, but the limit is ${maxClosings}`,
				]
			: []),
		...(openings > maxOpenings ? [`open ${feeds(openings)}, but the limit is ${maxOpenings}`] : []),
	];
	if (sentences.length === 0) return undefined;
	return {
		message: `Sync would ${sentences.join('. It would ')}`,
		description: [
			'First check that the list of members is complete.',
			...remedies(limits, settings),
		].join(' '),
	};
}

function remedies(limits: SyncLimits, { maxClosePercent, maxClose }: SyncSettings): string[] {
	const { closings, inScope, openings, maxOpenings = Infinity } = limits;
	const isPercentTooSmall = closings > allowedByPercent(inScope, maxClosePercent);
	const neededPercent = Math.min(100, Math.ceil((closings / Math.max(1, inScope)) * 100));
	const settings = [
		...(isPercentTooSmall ? [`'Max Close (%)' to ${neededPercent}`] : []),
		...(maxClose !== undefined && closings > maxClose ? [`'Max Close' to ${closings}`] : []),
		...(openings > maxOpenings ? [`'Max Open' to ${openings}`] : []),
	];
	return [`If it is, set ${settings.join(' and ')} for one run.`];
}

function feeds(count: number): string {
	return count === 1 ? '1 feed' : `${count} feeds`;
}
