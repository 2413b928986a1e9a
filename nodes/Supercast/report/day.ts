/** How the open feeds differ from those of the last daily email. It does not matter who opened them. */

import type { Person } from '../access/people';
import type { CurrentSubscriber } from '../access/subscribers';
import type { DayTold, NamedPeople } from '../access/sync/memory';
import type { SyncRun } from '../access/sync/run';
import type { MemberRecord } from '../access/record';
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
export function dayTold(run: SyncRun, open: OpenFeeds): DayTold | undefined {
	const { told } = run.next;
	const { endedAt: at, settings } = run;
	const day = emailDay(at, settings.zone);
	if (settings.dryRun || told?.day === day || !run.areAllSubscribers) return told;
	const hashes = new Map([...open].map(([name, one]) => [pieceFor(name), one]));
	const today = { day, at, open: [...hashes.keys()].join('') };
	if (told === undefined) return today;
	const before = new Set(piecesOf(told.open));
	const reasons = new Reasons(run);
	const joined = [...hashes].filter(([hash]) => !before.has(hash)).map(([, one]) => one);
	const left = [...before].filter((hash) => !hashes.has(hash));
	return {
		...{ ...today, since: told.at },
		joined: namedPeople(joined, (one) => reasons.ofJoined(one)),
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

/** Who is who in a run, and what the present list says about them. */
class Reasons {
	private readonly people = new Map<CurrentSubscriber, Person>();
	private readonly ended = new Map<CurrentSubscriber, readonly MemberRecord[]>();
	private readonly byHash: ReadonlyMap<string, CurrentSubscriber>;
	private readonly isListKnown: boolean;

	constructor({ people, unlisted, subscribers, plan, outcomes }: SyncRun) {
		this.isListKnown = plan.wrong === undefined;
		for (const person of people) {
			for (const one of person.subscribers) this.people.set(one, person);
		}
		for (const { person, subscriber } of outcomes) {
			if (person !== undefined && subscriber !== undefined) this.people.set(subscriber, person);
		}
		for (const { subscriber, ended } of unlisted) this.ended.set(subscriber, ended);
		this.byHash = new Map(subscribers.map((one) => [pieceFor(one.uuid || one.emailKey), one]));
	}

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
