import { inWords, isTelling, type Answer } from '../answer';
import { CUSTOMER_ID } from '../evidence/subject';
import { addressOf, type ProbedFeedState } from '../evidence/writing';
import {
	doesNot,
	holds,
	holdsIf,
	notReached,
	ofAnswer,
	ofWriting,
	unclear,
	type Finding,
	type Judge,
} from '../finding';
import { recordOf, stateWord, type Fields } from '../shapes';

/** Judges changes and their results. */
export const writeJudges = {
	'wrapped-json': ofWriting(({ created }) =>
		ofAnswer(created, (answer) => {
			if (answer.status >= 300) return doesNot(inWords(answer));
			const { email = '' } = recordOf(answer, 'subscriber') ?? {};
			return holdsIf(
				email !== null,
				inWords(answer),
				`${answer.status}, a record without the email`,
			);
		}),
	),
	created: ofWriting(({ created }) => answeredWith(created, 201)),
	'new-is-open': ofNew((first) => {
		const hasAddress = addressOf(first) !== undefined;
		const seen = `${stateWord(first.state)}, ${hasAddress ? 'an address' : 'no address'}`;
		return holdsIf(first.state === 'available' && hasAddress, seen);
	}),
	'new-has-no-plan': ofNew(({ plan_id: plan }) => {
		if (plan === undefined) return unclear('the record does not show it');
		return holdsIf(plan === null, 'no plan', 'a plan');
	}),
	'customer-id-kept': ofNew(({ customer_id: id }) => {
		if (id === undefined) return unclear('the record does not show it');
		return holdsIf(id === CUSTOMER_ID, 'the value that was sent', `another value (${typeof id})`);
	}),
	'names-kept': ofNew(({ first_name: first, last_name: last }) => {
		if (first === undefined && last === undefined) return unclear('the record does not show it');
		return holdsIf(!first && !last, 'no names', 'a name that was not sent');
	}),
	'visible-at-once': ofWriting(({ visibleAfterMs: ms }) => {
		if (ms === undefined) return notReached();
		if (ms === 0) return holds('immediately');
		return doesNot(ms === Infinity ? 'not within 30 s' : `after ${Math.ceil(ms / 1_000)} s`);
	}),
	'known-email': ofWriting(({ createdAgain, created }) =>
		ofAnswer(createdAgain, (again) => knownEmail(again, created)),
	),
	changed: ofWriting(({ changed }) => answeredWith(changed, 200)),
	'ignore-usage-alerts': readBack('ignore_usage_alerts', true),
	'time-zone': readBack('time_zone', 'Europe/Berlin'),
	suspended: state('suspended', 'suspended'),
	activated: state('available', 'available'),
	deactivated: state('inactive', 'deactivated'),
	'same-address': ofWriting(({ first = {}, feeds: { suspended, available } }) => {
		const [before, after] = [addressOf(first), addressOf(available?.after ?? {})];
		if (before === undefined || after === undefined) return unclear('no address was read');
		const isClosed = suspended?.after?.state === 'suspended';
		if (!isClosed || available?.after?.state !== 'available')
			return unclear('the feed was not closed and opened');
		return holdsIf(before === after, 'the same address', 'another address');
	}),
	deleted: ofWriting(({ deleted, afterDelete }) =>
		ofAnswer(deleted, ({ status }) =>
			ofAnswer(afterDelete, (after) => {
				const isRead = after.status === 200;
				const word = isRead ? `, ${stateWord(recordOf(after, 'subscriber')?.state)}` : '';
				const isGone = status < 300 && after.status === 404;
				return holdsIf(isGone, `${status}, then ${after.status}${word}`);
			}),
		),
	),
	'deleted-again': ofWriting(({ deleted, deletedAgain }) =>
		ofAnswer(deletedAgain, (again) =>
			deleted && deleted.status < 300
				? holdsIf(again.status === 404, inWords(again))
				: unclear('the first delete failed'),
		),
	),
	'new-uuid': second(({ uuid }) => uuid, 'uuid'),
	'new-address': second(addressOf, 'feed address'),
} satisfies Record<string, Judge>;

function ofNew(judge: (first: Fields) => Finding): Judge {
	return ofWriting(({ first }) => (first === undefined ? notReached() : judge(first)));
}

/** Whether the feed has changed. If it had the requested state before, this proves nothing. */
function state(sent: ProbedFeedState, expected: string): Judge {
	return ofWriting(({ feeds }) =>
		ofAnswer(feeds[sent]?.answer, (answer) => {
			const { before, after, afterMs = 0 } = feeds[sent] ?? {};
			const seen = `${inWords(answer)}, then ${stateWord(after?.state)}`;
			if (answer.status >= 300) return doesNot(seen);
			if (before?.state === expected) return unclear(`it was ${expected} before`);
			if (after?.state !== expected) return doesNot(seen);
			if (expected !== 'available' && hasOpenPodcast(after)) {
				return doesNot(`${seen}, with a podcast that is still open`);
			}
			return holdsIf(afterMs < VISIBLE_MS, seen, `${seen} after ${Math.ceil(afterMs / 1_000)} s`);
		}),
	);
}

/** How long the node repeats a look-up. */
const VISIBLE_MS = 6_000;

/** Whether one of several podcasts stays open. The fields of a subscription are not documented. */
function hasOpenPodcast({ subscriptions }: Fields): boolean {
	const all = Array.isArray(subscriptions) ? (subscriptions as unknown[]) : [];
	return all.some((one) => ['active', 'available'].includes(String((one as Fields | null)?.state)));
}

function second(valueOf: (row: Fields) => unknown, what: string): Judge {
	return ofWriting(({ first, second: life }) => {
		if (first === undefined || life === undefined) return notReached();
		const [before, after] = [valueOf(first), valueOf(life)];
		if (before === undefined || after === undefined) return unclear('the record does not show it');
		return holdsIf(before !== after, `another ${what}`, `the same ${what}`);
	});
}

function answeredWith(answer: Answer | undefined, status: number): Finding {
	return ofAnswer(answer, (found) => {
		if (found.status >= 300) return unclear(inWords(found));
		const hasRecord = recordOf(found, 'subscriber')?.email !== undefined;
		const seen = hasRecord ? `${found.status}, the record` : inWords(found);
		return holdsIf(found.status === status && hasRecord, seen);
	});
}

function knownEmail(again: Answer, first: Answer | undefined): Finding {
	if (again.status >= 300) return holdsIf(again.status === 422, inWords(again));
	const identifierOf = (answer: Answer): unknown => {
		const { uuid, id } = recordOf(answer, 'subscriber') ?? {};
		return uuid ?? id;
	};
	const [now, before] = [identifierOf(again), first && identifierOf(first)];
	if (now === undefined) return doesNot(inWords(again));
	return doesNot(`${again.status}, ${now === before ? 'the same' : 'another'} subscriber`);
}

function readBack(name: string, value: unknown): Judge {
	return ofWriting(({ changed, first, afterChange }) => {
		if (changed === undefined || afterChange === undefined) return notReached();
		if (!isTelling(changed) || changed.status >= 300) return unclear(inWords(changed));
		const [before, after] = [first?.[name], afterChange[name]];
		if (after === undefined) return unclear('the record does not show it');
		if (before === value) return unclear('it had this value before');
		return holdsIf(after === value, 'the value that was sent', `${inWords(changed)}, unchanged`);
	});
}
