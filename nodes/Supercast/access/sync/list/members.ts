import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../api/errors/errors';
import type { ItemParameters } from '../../../operations/types';
import type { DesiredMember } from '../../match';
import { readRecord } from '../../readRecord';
import { readAccess } from '../../records';
import { readSettings, RECORD_ID, settingsKey, type SyncSettings } from '../../settings';
import { afterUncounted, type ListMemory } from '../memory/absences';
import { FEW, refuseOneEmail, refuseOtherPrefixes, refuseSharedIds } from './checks';
import { wrongColumn, type ListItem } from './columns';
import { RecordCounter, type RecordCounts } from './records';

/** The list of members, as the items bring it. */
export class ListOfMembers {
	readonly members: DesiredMember[] = [];

	/** The items that no earlier node reports as failed. */
	readonly rows: ListItem[] = [];

	/** The settings of the items, which must all be the same, and an item that has them. */
	private readonly settings = new Map<string, ItemParameters>();

	/** The items without any field that n8n has not made. Each may have been a member. */
	readonly damaged: number[] = [];

	/** The IDs of the records, and those that name nobody. */
	private readonly records = new RecordCounter();

	/** How many items n8n has made for branches without items, and how many records without a name ended. */
	private ignored = 0;

	/** @param size How many items the list has. */
	constructor(private readonly size: number) {}

	/** How many items the list has, including those that name nobody. */
	get length(): number {
		return this.size;
	}

	/**
	 * @param isOfN8n Whether n8n has made the item, because a branch has no items.
	 * @throws InputError if the item is not a member.
	 */
	add(index: number, item: ItemParameters, json: IDataObject, isOfN8n = false): void {
		// Even an invalid row can show that the settings differ.
		this.settings.set(settingsKey(item), item);
		refuseFailed(json);
		this.records.add(item.collection('options')[RECORD_ID]);
		const [email, customerId] = [item.parameter('email'), item.parameter('customerId')];
		const hasEnded = readAccess(item.parameter('access')) === 'close';
		if (!hasEnded) this.rows.push({ json, email, customerId });
		const record = readRecord(item);
		const isNobody = record.email === '' && record.customerIds.length === 0;
		if (!isNobody) this.members.push({ ...record, items: [index] });
		// Nobody can lose access because of a record that gives none.
		else if (hasEnded || isOfN8n) this.ignored += 1;
		else if (Object.keys(json).length === 0 && this.damaged.length < FEW) this.damaged.push(index);
		else this.records.addNameless({ item: index, json });
	}

	/** Throws InputError if most items name nobody, because a column is wrong. */
	refuseWrongColumn(): void {
		const error = wrongColumn(this.rows);
		if (error !== undefined) throw error;
	}

	/** Reads the settings, and checks the list as a whole. Throws InputError if either is invalid. */
	check(): SyncSettings {
		if (this.settings.size > 1) {
			throw new InputError(
				'The settings of Sync are not the same for all items',
				"Only 'Email', 'Customer ID', 'Access', 'Status', 'Additional Fields' and 'Record ID' may differ between items. In the other settings, don't use expressions that read the item.",
			);
		}
		const { members } = this;
		const [item] = this.settings.values();
		if (members.length === 0 || item === undefined) {
			throw new InputError(
				'The list has no valid members',
				'Sync never treats an empty list as the end of all memberships. Check the node that reads the list, and the filter after it. If nobody is a member any more, close the feeds with Feed: Deactivate.',
			);
		}
		const settings = readSettings(item);
		refuseOtherPrefixes(this.current, settings.customerIdPrefix);
		refuseOneEmail(this.current);
		refuseSharedIds(this.current);
		return settings;
	}

	/** What is known of the records, by their IDs. */
	get counts(): RecordCounts {
		return this.records.counts;
	}

	/** The records that have not ended. */
	private get current(): DesiredMember[] {
		return this.members.filter(({ access }) => access !== 'close');
	}

	/** What to remember after this list, if it does not count. */
	afterUncounted(memory: ListMemory, receivedAt: number): ListMemory {
		const named = this.members.length + this.damaged.length;
		const isRead = named + this.ignored === this.size;
		return afterUncounted(memory, isRead ? this.current : undefined, receivedAt);
	}
}

/** An item that failed in an earlier node may still contain a member's email. */
function refuseFailed({ error }: IDataObject): void {
	if (error === undefined || error === null || error === '' || error === false) return;
	throw new InputError(
		'The item reports that an earlier node failed, so it is not a member',
		'Fix the earlier node, and connect only its success output to Sync.',
	);
}
