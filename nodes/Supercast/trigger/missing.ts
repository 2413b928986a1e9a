import type { ServiceError } from '../api/errors/errors';
import { FEW_RECORDS } from '../api/otherChannel';
import type { Findings } from './findings';
import type { PollSnapshot } from './snapshot';
import type { TriggerState } from './state';

/** How many missing records one poll looks up. */
const MOST_CHECKS = 50;

/** Failures that would affect every look-up. */
const GENERAL_FAILURES = [undefined, 401, 403, 429];

/** Looks up a record that the list no longer contains. Returns whether it is gone. */
export type LookUpMissing = (fingerprint: string) => Promise<boolean>;

/**
 * Looks up records that the list no longer contains. Ignores a failure, because the next poll may
 * succeed. Throws if all look-ups failed, and the failure seems to affect all of them.
 */
export async function findDeleted(
	state: TriggerState,
	findings: Findings,
	snapshot: PollSnapshot,
	isGone: LookUpMissing,
): Promise<void> {
	const missing = [...state.known].filter(([hash]) => !snapshot.seen.has(hash));
	const checked = missing.slice(0, MOST_CHECKS);
	// Without a total, a snapshot may miss a record because another one was deleted meanwhile.
	const isProof = snapshot.isThorough && snapshot.isSteady && snapshot.total !== undefined;
	findings.doubtful = isProof ? new Set() : undefined;
	const failures: ServiceError[] = [];
	for (const [hash, fingerprint] of checked) {
		const outcome = await isGone(fingerprint).catch((error: ServiceError) => error);
		if (outcome === true) findings.addDeleted(hash, fingerprint);
		else if (outcome === false) keepExisting(state, findings, hash, fingerprint);
		else {
			failures.push(outcome);
			checkLater(findings, hash, fingerprint);
		}
	}
	throwIfGeneral(failures, checked.length);
}

/** Forgets an existing record that two thorough snapshots missed. It is added again once listed. */
function keepExisting(
	state: TriggerState,
	findings: Findings,
	hash: string,
	fingerprint: string,
): void {
	const { doubtful, known } = findings;
	doubtful?.add(hash);
	const isMissedTwice = doubtful !== undefined && state.doubtful?.has(hash) === true;
	if (isMissedTwice) known.delete(hash);
	else checkLater(findings, hash, fingerprint);
}

/** Moves a record to the end, so that the next poll looks up others first. */
function checkLater({ known }: Findings, hash: string, fingerprint: string): void {
	known.delete(hash);
	known.set(hash, fingerprint);
}

function throwIfGeneral(failures: readonly ServiceError[], checked: number): void {
	if (failures.length < checked) return;
	const isGeneral = ({ status }: ServiceError): boolean =>
		failures.length > FEW_RECORDS || GENERAL_FAILURES.includes(status);
	const failure = failures.find(isGeneral);
	if (failure !== undefined) throw failure;
}
