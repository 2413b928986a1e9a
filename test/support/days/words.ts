/** What the node says, except for what it always says. */

import type { RunResult } from '../../harness/engine';
import { hintsOf } from '../members';

/** A time in seconds since 1970, which is one of the forms in which Supercast may show it. */
export function secondsOf(time: unknown): string {
	return String(typeof time === 'number' ? time : Math.floor(Date.parse(String(time)) / 1_000));
}

/** Everything unusual that a run says: its error, its hints, and what it left undone and why. */
export function told(result: RunResult): string {
	const left = result.output
		.map(({ json }) => json)
		.filter(({ action, attention }) => action === 'kept' || typeof attention === 'string')
		.map(({ reason, attention }) => `${String(attention ?? reason)}`);
	const { error } = result;
	const failed = error === undefined ? [] : [`${error.message}`];
	const hints = hasNews(result) ? hintsOf(result) : '';
	return [...failed, hints, ...left].filter(Boolean).join(' | ');
}

/** Sync always gives a hint. Its alert, and the feeds that are not its own, say what is unusual. */
function hasNews({ output }: RunResult): boolean {
	const { action, alert, numbers } = output.at(-1)?.json ?? {};
	if (action !== 'summary') return true;
	const [, ...news] = String(alert).replace(', dry run', '').split(', ');
	const notOwn = Object.values((numbers as { notOwn: Record<string, number> }).notOwn);
	return news.length > 0 || notOwn.some((count) => count > 0);
}

export async function outcomeText(work: Promise<unknown>): Promise<string> {
	return await work.then(
		() => '',
		(error: unknown) => String((error as Error).message),
	);
}
