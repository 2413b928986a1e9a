/** What this process has changed about people, because reads may be older (decision 0012). */

import type { IDataObject } from 'n8n-workflow';

import type { Runtime } from '../clock';
import { identifiersIn, keysOf } from '../identity';
import { isState, shownState } from '../states';
import type { ApiRequest } from '../types';
import {
	contradicted,
	fieldsSent,
	isOfPerson,
	keysOfShown,
	writtenBy,
	type WrittenState,
} from './writtenState';
import { Recent } from './recent';

const CHANGES_KEPT_MS = 60 * 60_000;

const MOST_CHANGES = 100_000;

/** To what a request has set someone's feeds, in the form in which Supercast shows it. */
interface LastState {
	at: number;
	state: string;
	/** Whether Supercast has shown it. */
	isSure: boolean;
}

/** What is known of a person, under one of their keys. */
interface Own {
	at: number;
	/** What the latest changes have left, the latest last. Each field is in one of them. */
	left: readonly WrittenState[];
	/** Undefined if no request has changed the state. */
	last?: LastState;
	/** When a request has last set each state. */
	sent?: Readonly<Record<string, number>>;
}

/**
 * The changes of the last hour, by person. What a change has left is the truth for as long as a read
 * may be older. But someone else may change the state of feeds at any time, so for the state this
 * only holds for a few seconds, in which the node reads again.
 */
export class OwnChanges {
	private readonly byKey = new Recent<Own>();

	constructor(private readonly runtime: Pick<Runtime, 'clock' | 'oldMs' | 'visibleMs'>) {}

	/** Notes a request that Supercast may have processed, although nothing shows it yet. */
	noteSent(request: ApiRequest, keys: readonly string[]): void {
		const { method, path, body } = request;
		const { state } = fieldsSent(body);
		const sent = method === 'POST' ? 'available' : shownState(state);
		if (!isOfPerson(path[0]) || sent === '') return;
		const at = this.now();
		for (const key of keys) {
			const before = this.byKey.get(key)?.sent;
			this.add(key, { last: { at, state: sent, isSure: false }, sent: { ...before, [sent]: at } });
		}
	}

	/** Notes a change that Supercast has shown, or an answer that proves it. */
	noteChange(request: ApiRequest, shown: IDataObject = {}): void {
		const at = this.now();
		for (const { key, left } of writtenBy(request, shown, at)) {
			const before = request.method === 'PATCH' && !left.isGone ? this.leftOf([key], at) : [];
			const others = before.map((one) => without(one, Object.keys(left.fields)));
			const state = shownState(left.fields.state);
			const last = state === '' ? {} : { last: { at, state, isSure: true } };
			this.add(key, { left: [...others, left], ...last });
		}
	}

	/** Notes that all these keys are those of one person. */
	spread(keys: ReadonlySet<string>): void {
		const last = this.lastOf(keys);
		if (last !== undefined) for (const key of keys) this.add(key, { last });
	}

	/** Whether a read of a person is older than what a change of ours has left. */
	isOutdated({ path }: ApiRequest, shown: IDataObject, sentAt: number): boolean {
		return this.leftOf(keysOfShown(path, shown), sentAt).some((left) => contradicted(shown, left));
	}

	/**
	 * A record as changes of ours have left it, if a read contradicts them. Undefined if there is no
	 * such record any more.
	 */
	corrected<T extends IDataObject>(
		{ path }: Pick<ApiRequest, 'path'>,
		shown: T,
		sentAt: number,
	): T | undefined {
		let record: T | undefined = shown;
		for (const left of this.leftOf(keysOfShown(path, shown), sentAt)) {
			const fields = contradicted(shown, left);
			if (fields === undefined || record === undefined) continue;
			record = left.isGone ? undefined : { ...record, ...fields };
		}
		return record;
	}

	/**
	 * A record for someone who wants a state. If it shows this state, but within the last hour a
	 * request of this process has set another one, or one that nothing has shown, then it may be
	 * older. So it gets the opposite state, and the wanted one is sent once more.
	 */
	doubted(record: IDataObject, wanted: 'available' | 'deactivated'): IDataObject {
		const last = this.lastOf(keysOf(identifiersIn(record)));
		const isCertain = last === undefined || (last.isSure && last.state === wanted);
		if (isCertain || !isState(record.state, wanted)) return record;
		return { ...record, state: wanted === 'available' ? 'deactivated' : 'available' };
	}

	/** Whether a record that shows what was just sent may be older than the change of ours before it. */
	mayBeOlder(record: IDataObject = {}): boolean {
		const shown = shownState(record.state);
		const since = this.now() - this.runtime.oldMs;
		const sent = keysOf(identifiersIn(record)).map((key) => this.byKey.get(key)?.sent ?? {});
		const all = sent.flatMap((one) => Object.entries(one));
		return shown !== '' && all.some(([state, at]) => state !== shown && at >= since);
	}

	private now(): number {
		return this.runtime.clock.now();
	}

	/** The latest state that this process has set within the last hour. */
	private lastOf(keys: Iterable<string>): LastState | undefined {
		const since = this.now() - CHANGES_KEPT_MS;
		const all = [...keys].flatMap((key) => this.byKey.get(key)?.last ?? []);
		const [latest] = all.filter(({ at }) => at >= since).sort((one, other) => other.at - one.at);
		return latest;
	}

	/** What changes have left that a read may not show yet. */
	private leftOf(keys: readonly string[], sentAt: number): WrittenState[] {
		const { oldMs, visibleMs } = this.runtime;
		const all = keys.flatMap((key) => this.byKey.get(key)?.left ?? []);
		const recent = [...new Set(all)].filter(({ at }) => at > sentAt - oldMs);
		return recent.map((one) => (one.at > sentAt - visibleMs ? one : without(one, ['state'])));
	}

	private add(key: string, own: Partial<Own>): void {
		const at = this.now();
		this.byKey.set(key, { left: [], ...this.byKey.get(key), ...own, at });
		const oldest = at - CHANGES_KEPT_MS;
		this.byKey.forget((one) => one.at < oldest || this.byKey.size > MOST_CHANGES);
	}
}

function without(left: WrittenState, names: readonly string[]): WrittenState {
	const kept = Object.entries(left.fields).filter(([name]) => !names.includes(name));
	return { ...left, fields: Object.fromEntries(kept) };
}
