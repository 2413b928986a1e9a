/** The list of members, as the items bring it: its records, and whether it is complete. */

import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../api/errors/errors';
import { textOf } from '../../api/json';
import { forEach, type Steps } from '../../operations/steps';
import { isBlank, isEmail } from '../../operations/texts';
import type { ItemParameters } from '../../operations/types';
import { judge, type RecordClaims } from '../judge/judge';
import { wordKey } from '../judge/words';
import {
	namesSomebody,
	ownWords,
	readClaims,
	readNames,
	readNamesOfEnded,
	type MemberRecord,
	type OtherFields,
} from '../record';
import { readSyncSettings, settingsKey, type SyncSettings } from '../settings';
import { refuseMissingPrefix } from './prefix';

/** An item that is not one of a member, although it does not say that it gives no access. */
export interface InvalidItem {
	/** The index of the input item. */
	item: number;
	error: Error;
	/** Empty if it has none that is valid. */
	email: string;
}

/** How the list has reached Sync. */
export interface ListArrival {
	/** When the workflow began to read it, in milliseconds since 1970. */
	readingBeganAt: number;
	/** When Sync received it, in milliseconds since 1970. */
	arrivedAt: number;
	/** How long it lay around before it arrived, in milliseconds. Undefined if it is pinned. */
	idleMs: number | undefined;
	/** Whether another branch of the workflow may bring more records. */
	mayGetMore: boolean;
}

export interface MemberList {
	/** In the order of the list. Each names someone. */
	records: readonly MemberRecord[];
	/** How many items are records. An item whose fields are all blank is none. */
	size: number;
	invalid: readonly InvalidItem[];
	/** The record IDs, and the items that have none. */
	ids: { different: number; doubled: readonly string[]; empty: readonly number[] };
}

/** Why a list is incomplete, so that it closes no feeds. */
export type Incompleteness =
	| { kind: 'doubledIds'; ids: readonly string[] }
	| { kind: 'emptyIds'; items: readonly number[] }
	| { kind: 'invalidItems'; items: readonly InvalidItem[] }
	| { kind: 'missingRecords'; read: number; expected: number }
	| { kind: 'moreToCome' | 'old' | 'pinned' }
	| { kind: 'unknownNumber'; text: string };

/** How old a list may be when Sync begins to work with it. */
const OLD_MS = 5 * 60_000;

/** An item, as far as it is read before all items are known. */
interface PendingRecord {
	index: number;
	item: ItemParameters;
	claims: RecordClaims;
	json: IDataObject;
}

/** Reads a list item by item. */
export class ListReader {
	private readonly pending: PendingRecord[] = [];
	private readonly records: MemberRecord[] = [];
	private readonly invalid: InvalidItem[] = [];
	private readonly seenIds = new Set<string>();
	private readonly doubledIds = new Set<string>();
	private readonly withoutId: number[] = [];
	private size = 0;
	private key: string | undefined;
	private given: SyncSettings | undefined;

	/**
	 * @param fieldsOf Reads the other fields of an item.
	 */
	constructor(private readonly fieldsOf: (item: ItemParameters) => OtherFields) {}

	/** @throws InputError if the settings are invalid, or not the same for all items. */
	add(index: number, item: ItemParameters, json: IDataObject): void {
		this.checkSettings(item);
		if (Object.values(json).every(isBlankField)) return;
		this.size += 1;
		this.read({ index, item }, () => {
			this.countId(index, item);
			const claims = readClaims(item, this.settings.productNames);
			this.pending.push({ index, item, claims, json });
		});
	}

	/** The settings. Only after the first item. */
	get settings(): SyncSettings {
		if (this.given !== undefined) return this.given;
		throw new InputError('Sync received no items', 'Check the node that reads the list.');
	}

	/**
	 * Judges the records, when all are known.
	 * @param now In milliseconds since 1970.
	 * @throws InputError if the customer ID prefix is missing.
	 */
	*judgeAll(now: number): Steps<void> {
		const { settings } = this;
		refuseMissingPrefix(settings, () =>
			this.pending.map(({ item }) => item.parameter('customerId')),
		);
		const hasStatuses = this.pending.some(({ claims }) => wordKey(claims.status) !== '');
		yield* forEach(this.pending, (one) =>
			this.read(one, () => this.judgeOne(one, { ...settings, hasStatuses, now })),
		);
	}

	/** The list, once all records are judged. */
	get list(): MemberList {
		const { records, size, invalid, seenIds, doubledIds, withoutId } = this;
		const ids = { different: seenIds.size, doubled: [...doubledIds], empty: withoutId };
		return { records, size, invalid: invalid.sort((a, b) => a.item - b.item), ids };
	}

	private checkSettings(item: ItemParameters): void {
		const key = settingsKey(item);
		this.given ??= readSyncSettings(item);
		this.key ??= key;
		if (key === this.key) return;
		throw new InputError(
			'The settings of Sync are not the same for all items',
			"Only 'Access', 'Status', 'Email', 'Customer ID', 'Additional Fields', 'Product', 'Access Until' and 'Record ID' may differ between items. In the other settings, don't use expressions that read the item.",
		);
	}

	private judgeOne(
		{ index, item, claims, json }: PendingRecord,
		rules: SyncSettings & { hasStatuses: boolean; now: number },
	): void {
		const judged = judge(claims, rules);
		const hasEnded = judged.access === 'close';
		if (!hasEnded) refuseFailed(json);
		const read = hasEnded ? readNamesOfEnded : readNames;
		const names = read(item, rules.prefixes);
		if (namesSomebody(names)) {
			const fields = (): OtherFields => this.fieldsOf(item);
			this.records.push({ item: index, ...judged, ...ownWords(claims), ...names, fields });
		} else if (!hasEnded) throw namelessItem(json);
	}

	private countId(index: number, item: ItemParameters): void {
		if (!this.settings.hasRecordIds) return;
		const id = textOf(item.collection('options').recordId).trim();
		if (id === '') this.withoutId.push(index);
		else if (this.seenIds.has(id)) this.doubledIds.add(id);
		this.seenIds.add(id);
	}

	/** An item that cannot be read makes the list incomplete, and stops nothing else. */
	private read({ index, item }: Pick<PendingRecord, 'index' | 'item'>, work: () => void): void {
		try {
			work();
		} catch (error) {
			const email = textOf(item.parameter('email')).trim();
			this.invalid.push({ item: index, error: asError(error), email: isEmail(email) ? email : '' });
		}
	}
}

function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function isBlankField(value: unknown): boolean {
	const isEmptyObject =
		typeof value === 'object' && value !== null && Object.values(value).every(isBlankField);
	return isBlank(value) || isEmptyObject;
}

/** An item that failed in an earlier node may still contain a member's email. */
function refuseFailed({ error }: IDataObject): void {
	if (isBlank(error) || error === false) return;
	throw new InputError(
		'The item reports that an earlier node failed, so it is not a member',
		'Fix the earlier node, and connect only its success output to Sync.',
	);
}

/** The error of an item without an email and a customer ID. It shows how to recognize the item. */
function namelessItem(json: IDataObject): InputError {
	const values = Object.entries(json).filter(([, value]) => textOf(value).trim() !== '');
	const shown = values.slice(0, 3).map(([key, value]) => `${key} "${textOf(value).slice(0, 50)}"`);
	return new InputError(
		"'Email' and 'Customer ID' are both empty, so the item names nobody",
		`The item begins with: ${shown.join(', ')}. Check the expressions in 'Email' and 'Customer ID'.`,
	);
}

/** Why the list is incomplete. Empty if it is complete, as far as can be known. */
export function incompletenessOf(
	{ size, invalid, ids }: MemberList,
	{ hasRecordIds, recordsExpected: expected }: SyncSettings,
	arrival: ListArrival,
	now: number,
): Incompleteness[] {
	const read = hasRecordIds ? ids.different - (ids.empty.length > 0 ? 1 : 0) : size;
	const found: Array<Incompleteness | false> = [
		typeof expected === 'number' && read < expected && { kind: 'missingRecords', read, expected },
		typeof expected === 'string' && { kind: 'unknownNumber', text: expected },
		ids.empty.length > 0 && { kind: 'emptyIds', items: ids.empty },
		ids.doubled.length > 0 && { kind: 'doubledIds', ids: ids.doubled },
		invalid.length > 0 && { kind: 'invalidItems', items: invalid },
		arrival.mayGetMore && { kind: 'moreToCome' },
		ageOf(arrival, now),
	];
	return found.filter((one) => one !== false);
}

function ageOf({ arrivedAt, idleMs }: ListArrival, now: number): Incompleteness | false {
	if (idleMs === undefined) return { kind: 'pinned' };
	return now - arrivedAt + idleMs > OLD_MS && { kind: 'old' };
}
