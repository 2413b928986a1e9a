/** Emails that change hands: someone takes a new address, and someone else gets the old one. */

import { identifierKey } from '../../api/identity';
import { textOf } from '../../api/json';
import { groupBy } from '../../subscriber/customerId';
import type { CurrentSubscriber } from '../match';
import { isEmpty, keep, type AccessDecision } from '../rules';

/** By email: who has it now. */
type Holders = ReadonlyMap<string, CurrentSubscriber>;

/**
 * Puts decisions that give someone an email into rounds. In each round, the emails are free, because
 * their previous holders got other emails in an earlier round. Decisions whose email never becomes
 * free are in no round.
 */
function emailRounds(givesEmail: readonly AccessDecision[], holders: Holders): AccessDecision[][] {
	const holderOf = ({ write, subscriber }: AccessDecision): CurrentSubscriber | undefined => {
		const holder = holders.get(identifierKey(textOf(write.email)));
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

/** Whether a decision gives someone an email. */
export function hasEmail({ write }: AccessDecision): boolean {
	return 'email' in write;
}

/** Leaves out each email that another subscriber keeps, because Supercast would refuse it. */
export function withoutTakenEmails(
	decisions: readonly AccessDecision[],
	subscribers: readonly CurrentSubscriber[],
): AccessDecision[] {
	const holders = new Map<string, CurrentSubscriber>();
	subscribers.forEach((one) => void holders.set(one.emailKey, one));
	const possible = new Set(emailRounds(decisions.filter(hasEmail), holders).flat());
	return decisions.map((decision) =>
		!hasEmail(decision) || possible.has(decision) ? decision : withoutEmail(decision),
	);
}

function withoutEmail(decision: AccessDecision): AccessDecision {
	const write = { ...decision.write };
	delete write.email;
	const changesNothing =
		decision.action === 'created' || (isEmpty(write) && decision.action !== 'reopened');
	return changesNothing ? keep(decision, 'emailTaken') : { ...decision, write, isEmailTaken: true };
}

/**
 * The decisions that change emails, in rounds. Within a round, the order does not matter. Those whose
 * email two subscribers have come last, because Supercast may refuse them.
 */
export function moveRounds(decisions: readonly AccessDecision[]): AccessDecision[][] {
	const holders = new Map<string, CurrentSubscriber>();
	for (const { subscriber } of decisions) {
		if (subscriber !== undefined) holders.set(subscriber.emailKey, subscriber);
	}
	const moves = decisions.filter(hasEmail);
	const rounds = emailRounds(moves, holders);
	const inRounds = new Set(rounds.flat());
	return [...rounds, moves.filter((one) => !inRounds.has(one))];
}
