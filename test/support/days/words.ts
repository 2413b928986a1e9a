/** What the node says, beyond what it always says. */

import type { RunResult } from '../../../harness/engine';
import { hintsOf } from '../members';

/** In seconds since 1970, which is how Supercast may show it. */
export function secondsOf(time: unknown): string {
	return String(typeof time === 'number' ? time : Math.floor(Date.parse(String(time)) / 1_000));
}

/** What a run says that is not as usual: its error, hints, and what it left undone, with the reason. */
export function told(result: RunResult): string {
	const left = result.output
		.map(({ json }) => json)
		.filter(({ action, attention }) => action === 'kept' || typeof attention === 'string')
		.map(({ reason, attention }) => `${String(attention ?? reason)}`);
	const { error } = result;
	const failed = error === undefined ? [] : [`${error.message}`];
	const hints = hintsOf(result).replace(SYNC_COUNTS, '').trim();
	return [...failed, hints, ...left].filter(Boolean).join(' | ');
}

/** What each Sync says. */
const SYNC_COUNTS = /^(Dry run: )?(\d+ [a-z ]+(, |\.))+/;

export async function wordsOf(work: Promise<unknown>): Promise<string> {
	return await work.then(
		() => '',
		(error: unknown) => String((error as Error).message),
	);
}
