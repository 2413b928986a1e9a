/** Emails that change hands: someone takes a new address, and someone else gets the old one. */

import { nameKey } from '../../api/identity';
import { textOf } from '../../api/json';
import { groupBy } from '../../subscriber/customerId';
import type { Known } from '../people';
import { isEmpty, keep, type AccessDecision } from '../rules';

/**
 * Puts decisions that give someone an email into rounds. In each round, the emails are free, because
 * those who had them got theirs in an earlier round. Decisions whose email never becomes free are in
 * none.
 * @param holders The subscribers who have the emails now.
 */
function emailRounds(
	decisions: readonly AccessDecision[],
	holders: readonly Known[],
): AccessDecision[][] {
	const byEmail = new Map(holders.map((one) => [nameKey(one.email), one]));
	const givesEmail = decisions.filter(({ write }) => 'email' in write);
	const holderOf = ({ write, subscriber }: AccessDecision): Known | undefined => {
		const holder = byEmail.get(nameKey(textOf(write.email)));
		return holder === subscriber ? undefined : holder;
	};
	const waiting = groupBy(givesEmail, holderOf);
	const rounds: AccessDecision[][] = [];
	let round = givesEmail.filter((one) => holderOf(one) === undefined);
	while (round.length > 0) {
		rounds.push(round);
		round = round.flatMap(({ subscriber }) => (subscriber && waiting.get(subscriber)) ?? []);
	}
	return rounds;
}

/** Leaves an email out where another subscriber keeps it, because Supercast would refuse it. */
export function withoutTakenEmails(
	decisions: readonly AccessDecision[],
	subscribers: readonly Known[],
): AccessDecision[] {
	const possible = new Set(emailRounds(decisions, subscribers).flat());
	return decisions.map((decision) => {
		if (!('email' in decision.write) || possible.has(decision)) return decision;
		const write = { ...decision.write };
		delete write.email;
		const isOpening = decision.action === 'reopened';
		const changesNothing = decision.action === 'created' || isEmpty(write);
		return changesNothing && !isOpening ? keep(decision, 'emailTaken') : { ...decision, write };
	});
}

/** The decisions that change emails, in rounds. Within a round, the order does not matter. */
export function moveRounds(decisions: readonly AccessDecision[]): AccessDecision[][] {
	const holders = decisions.map(({ subscriber }) => subscriber);
	return emailRounds(
		decisions,
		holders.filter((one) => one !== undefined),
	);
}
