/** What a person allows once beside a limit, with a text such as `close 160 until 2026-11-29 21:00 UTC`. */

import { MINUTE_MS } from '../api/clock';
import { InputError } from '../api/errors/errors';
import { timeOf } from '../api/json';

export type AllowedKind = 'close' | 'open';

/** So many feeds may close or open beside the limit, once, until then. */
export interface Allowance {
	kind: AllowedKind;
	feeds: number;
	/** In milliseconds since 1970. */
	until: number;
	/** The text in its usual form, by which its use is remembered. */
	text: string;
}

/** How many feeds each allowance has been used for, by its text. */
export type UsedAllowances = ReadonlyMap<string, number>;

/** How long a message allows what it proposes. */
const HOURS_ALLOWED = 24;

const HOUR_MS = 60 * MINUTE_MS;

const FORM =
	/^(close|open)\s+(\d{1,9})\s+until\s+(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})\s*(?:UTC|Z)?$/i;

const QUOTATION_MARKS = /["'`´“”„‘’«»]/g;

/**
 * Reads the option Allow Once. A text that is there twice counts once.
 * @throws InputError if a part is not such a text.
 */
export function readAllowances(typed: string): Allowance[] {
	const parts = typed.replace(QUOTATION_MARKS, '').split(/[,\r\n]+/);
	const all = parts
		.map((part) => part.trim().replace(/\.$/, ''))
		.filter(Boolean)
		.map(readAllowance);
	return [...new Map(all.map((one) => [one.text, one])).values()];
}

function readAllowance(text: string): Allowance {
	const [, kind = '', count, day, time] = FORM.exec(text) ?? [];
	const until = timeOf(`${day}T${time}Z`);
	if (Number.isNaN(until)) {
		throw new InputError(
			`'Allow Once' contains "${text.slice(0, 100)}", which is not the text of a message`,
			'Copy the text at the end of the message of Sync, such as: close 160 until 2026-11-29 21:00 UTC',
		);
	}
	const known = { kind: kind.toLowerCase() as AllowedKind, feeds: Number(count), until };
	return { ...known, text: textOfAllowance(known) };
}

function textOfAllowance({
	kind,
	feeds,
	until,
}: Pick<Allowance, 'feeds' | 'kind' | 'until'>): string {
	const time = new Date(until).toISOString().slice(0, 16).replace('T', ' ');
	return `${kind} ${feeds} until ${time} UTC`;
}

/** The text that allows this once. It allows a list, too, that opens no feeds. */
export function proposeAllowance(kind: AllowedKind, feeds: number, now: number): string {
	const until = (Math.floor(now / HOUR_MS) + HOURS_ALLOWED) * HOUR_MS;
	return textOfAllowance({ kind, feeds: Math.max(1, feeds), until });
}

/** What is left of the allowances of one kind. */
export class AllowanceAccount {
	private readonly used: Map<string, number>;

	constructor(
		private readonly allowances: readonly Allowance[],
		used: UsedAllowances,
		private readonly now: number,
	) {
		this.used = new Map(used);
	}

	/** How many feeds of this kind are still allowed. */
	left(kind: AllowedKind): number {
		return this.ofKind(kind).reduce((sum, one) => sum + this.leftOf(one), 0);
	}

	/** Uses one, if there is one left. */
	take(kind: AllowedKind): boolean {
		const one = this.ofKind(kind).find((some) => this.leftOf(some) > 0);
		if (one !== undefined) this.used.set(one.text, (this.used.get(one.text) ?? 0) + 1);
		return one !== undefined;
	}

	/** The allowances that mean nothing any more: used up, or after their time. */
	get over(): readonly Allowance[] {
		return this.allowances.filter((one) => this.leftOf(one) === 0);
	}

	/** What to remember. Of what the option does not have any more, nothing. */
	get remembered(): UsedAllowances {
		const texts = new Set(this.allowances.map(({ text }) => text));
		return new Map([...this.used].filter(([text]) => texts.has(text)));
	}

	private ofKind(kind: AllowedKind): Allowance[] {
		return this.allowances.filter((one) => one.kind === kind);
	}

	private leftOf({ feeds, until, text }: Allowance): number {
		return this.now >= until ? 0 : Math.max(0, feeds - (this.used.get(text) ?? 0));
	}
}
