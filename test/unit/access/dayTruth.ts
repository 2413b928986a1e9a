/** What Supercast saw on each day: the daily log as it would be without Sync. */

import { groupBy } from '../../../nodes/Supercast/subscriber/customerId';
import type { Held } from '../../doubles/directSupercast';

/** A feed that opened or closed. */
interface TrueChange {
	uuid: string;
	email: string;
	kind: 'closed' | 'opened';
	/** Undefined for a deletion, until a check finds it. Nothing shows when it was. */
	at?: number;
	/** The day on which it counts, once n8n has stored a check that knows it. */
	date?: string;
}

/** What a page must say about a day, and about the days before. */
export interface TrueDay {
	opened: TrueChange[];
	closed: TrueChange[];
	/** How many feeds were open at its end. */
	open: number;
}

/** How a check ended. */
interface Ended {
	/** The UUID or email of a change of which Sync does not know that it was made. */
	failed: string;
	/** The day of a time. Without one, the day of the check. */
	dateOf: (time?: number) => string;
	/** Whether n8n is killed before it stores what the check has noted. */
	isLost: boolean;
}

export class DayTruth {
	/** The first day that the daily log knows. */
	firstDate = '';
	private readonly changes: TrueChange[] = [];
	/** How many feeds were open before the first check. */
	private openAtFirst = 0;
	private lost: TrueChange[] = [];

	/** The first check cannot know what has changed before. */
	begin(date: string, open: number): void {
		if (this.firstDate !== '') return;
		this.firstDate = date;
		this.openAtFirst = open;
	}

	/** @param at Undefined for a deletion. */
	note(kind: TrueChange['kind'], { uuid, email }: Held, at?: number): void {
		if (this.firstDate !== '') this.changes.push({ uuid, email, kind, at });
	}

	/** The changes that no stored check knows yet. */
	get pending(): TrueChange[] {
		return this.changes.filter(({ date }) => date === undefined);
	}

	/**
	 * Gives each change its day. Two checks see nothing of a feed that is as it was.
	 * @param found The changes before the check, by others or by a check that n8n has lost.
	 */
	settle(found: readonly TrueChange[], { failed, dateOf, isLost }: Ended): void {
		const byPerson = groupBy(found, ({ uuid }) => uuid);
		const undone = found.filter(({ uuid }) => byPerson.get(uuid)!.length % 2 === 0);
		const isKnown = (one: TrueChange): boolean =>
			found.includes(one) || ![one.uuid, one.email].includes(failed);
		const settled = this.pending.filter(isKnown);
		for (const one of settled) one.date = undone.includes(one) ? 'never' : dateOf(one.at);
		this.lost = isLost ? settled : [];
	}

	/** After n8n was killed, no check knows these changes. */
	forgetLost(): void {
		for (const one of this.lost) one.date = undefined;
		this.lost = [];
	}

	/** What is true of a day, now that it is over. */
	day(date: string): TrueDay {
		const counted = this.counted.filter((one) => one.date <= date);
		const sum = counted.reduce((open, { kind }) => open + (kind === 'opened' ? 1 : -1), 0);
		const ofDay = (kind: TrueChange['kind']): TrueChange[] =>
			counted.filter((one) => one.date === date && one.kind === kind);
		return { opened: ofDay('opened'), closed: ofDay('closed'), open: this.openAtFirst + sum };
	}

	/** How many feeds have opened and closed on all days. */
	sums(): [opened: number, closed: number] {
		const sum = (kind: TrueChange['kind']) =>
			this.counted.filter((one) => one.kind === kind).length;
		return [sum('opened'), sum('closed')];
	}

	private get counted(): Array<TrueChange & { date: string }> {
		return this.changes.filter(
			(one): one is TrueChange & { date: string } => one.date !== undefined && one.date !== 'never',
		);
	}
}
