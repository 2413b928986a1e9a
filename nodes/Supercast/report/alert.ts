/**
 * The text that changes when someone must be told something new. The workflow lets each text through
 * once. So there is one email a day, and one more for each new problem.
 */

import { hashOf } from './names';
import type { ToldRun } from './run';
import { emailDay } from './time';
import type { Concern } from './warning';
import { concerns } from './warnings';

/**
 * Of so many people, each counts. In a larger group, someone comes or goes all the time, so one of
 * them stands for all.
 */
const FEW = 12;

export function alertOf(run: ToldRun): string {
	const { settings, endedAt } = run;
	const day = emailDay(endedAt, settings.zone);
	const dry = settings.dryRun ? ['dry run'] : [];
	return [day, ...dry, ...concerns(run).map(([kind, one]) => concernText(kind, one))].join(', ');
}

function concernText(kind: string, { count, who, about = [] }: Concern): string {
	const all = who.map((one) => hashOf([one])).sort();
	return `${kind} ${roundedToPowerOfTwo(count)} ${hashOf([...about, ...(all.length > FEW ? all.slice(0, 1) : all)])}`;
}

function roundedToPowerOfTwo(count: number): number {
	return 2 ** Math.round(Math.log2(Math.max(1, count)));
}
