/** How the open feeds differ from those of the last daily email. It does not matter who opened them. */

import type { Person } from '../access/people';
import type { CurrentSubscriber } from '../access/subscribers';
import type { DayTold, NamedPeople } from '../access/sync/memory';
import type { SyncRun } from '../access/sync/run';
import type { MemberRecord } from '../access/record';
import { forEach, mapEach, select, type Steps } from '../operations/steps';
import { hashOf, personName, statusText } from './names';
import type { OpenFeeds } from './openFeeds';
import { stateText, whyLeft } from './reasons';
import { emailDay } from './time';

/** So many names are remembered for the emails of a day. */
const MOST_NAMES = 50;

/**
 * What to tell on the day of this run. The first real run of a day finds it out, and the others tell
 * the same. A list of subscribers that may lack some proves nothing about those who left.
 */
export function* dayTold(run: SyncRun, open: OpenFeeds): Steps<DayTold | undefined> {
	const { told } = run.next;
	const { endedAt: at, settings } = run;
	const day = emailDay(at, settings.zone);
	if (settings.dryRun || told?.day === day || !run.areAllSubscribers) return told;
	const hashes = new Map(yield* mapEach(open, ([name, one]) => [pieceFor(name), one] as const));
	const today = { day, at, open: [...hashes.keys()].join('') };
	if (told === undefined) return today;
	const before = new Set(piecesOf(told.open));
	const joined = yield* select(hashes, ([hash]) => !before.has(hash));
	const left = yield* select(before, (hash) => !hashes.has(hash));
	const reasons = yield* reasonsIn(run);
	return {
		...{ ...today, since: told.at },
		joined: namedPeople(joined, ([, one]) => reasons.ofJoined(one)),
		left: namedPeople(left, (hash) => reasons.ofLeft(hash)),
	};
}

/** Of 20,000 feeds, two have the same piece once in 300 channels. */
function pieceFor(name: string): string {
	return hashOf([name]).slice(0, 6);
}

function piecesOf(open: string): string[] {
	return open.match(/.{6}/g) ?? [];
}

/** @param nameOf Undefined for someone whom nobody knows any more. */
function namedPeople<T>(all: readonly T[], nameOf: (one: T) => string | undefined): NamedPeople {
	const names = all.flatMap((one) => nameOf(one) ?? []);
	return { count: all.length, names: names.slice(0, MOST_NAMES) };
}

function* reasonsIn({ people, unlisted, subscribers, plan, outcomes }: SyncRun): Steps<Reasons> {
	const reasons = new Reasons(plan.wrong === undefined);
	yield* forEach(people, (person) => {
		for (const one of person.subscribers) reasons.people.set(one, person);
	});
	yield* forEach(outcomes, ({ person, subscriber }) => {
		if (person !== undefined && subscriber !== undefined) reasons.people.set(subscriber, person);
	});
	yield* forEach(unlisted, ({ subscriber, ended }) => reasons.ended.set(subscriber, ended));
	yield* forEach(subscribers, (one) => reasons.byHash.set(pieceFor(one.uuid || one.emailKey), one));
	return reasons;
}

/** Who is who in a run, and what the present list says about them. */
class Reasons {
	readonly people = new Map<CurrentSubscriber, Person>();
	readonly ended = new Map<CurrentSubscriber, readonly MemberRecord[]>();
	readonly byHash = new Map<string, CurrentSubscriber>();

	constructor(private readonly isListKnown: boolean) {}

	ofJoined(subscriber: CurrentSubscriber): string {
		const person = this.people.get(subscriber);
		const ended = this.ended.get(subscriber) ?? [];
		const why = person ? statusText(person.records) : whyLeft(ended);
		return this.withWhy({ person, ended, subscriber }, why);
	}

	ofLeft(hash: string): string | undefined {
		const subscriber = this.byHash.get(hash);
		if (subscriber === undefined) return undefined;
		const person = this.people.get(subscriber);
		const ended = this.ended.get(subscriber) ?? [];
		const isPayer = person?.access === 'open';
		const why = person ? statusText(person.records) : whyLeft(ended);
		return this.withWhy({ person, ended, subscriber }, isPayer ? stateText(subscriber.state) : why);
	}

	private withWhy(subject: Parameters<typeof personName>[0], why: string): string {
		const name = personName(subject);
		return this.isListKnown && why !== '' ? `${name} (${why})` : name;
	}
}
