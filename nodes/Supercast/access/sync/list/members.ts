import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../api/errors/errors';
import type { ItemParameters } from '../../../operations/types';
import type { DesiredMember } from '../../match';
import { readPerson, readSettings, SETTINGS, type SyncSettings } from '../../settings';
import { afterUncounted, type ListMemory } from '../memory/absences';
import { FEW, refuseOneEmail, refuseOtherPrefixes, refuseSharedIds } from './checks';
import { namelessItem, wrongColumn, type ListItem } from './columns';

/** The list of members, as the items bring it. */
export class ListOfMembers {
	readonly members: DesiredMember[] = [];

	/** The items that no earlier node reports as failed. */
	readonly rows: ListItem[] = [];

	/** The settings of the items, which must all be the same, and an item that has them. */
	private readonly settings = new Map<string, ItemParameters>();

	/** The items without any field that n8n has not made. Each may have been a member. */
	readonly damaged: number[] = [];

	/** How many items without any field n8n has made for branches without items. */
	private emptyItems = 0;

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
		this.settings.set(JSON.stringify(SETTINGS.map((name) => item.parameter(name))), item);
		refuseFailed(json);
		this.rows.push({
			json,
			email: item.parameter('email'),
			customerId: item.parameter('customerId'),
		});
		const member = readPerson(item, 'Sync');
		const isNobody = member.email === '' && member.customerIds.length === 0;
		if (!isNobody) this.members.push({ ...member, items: [index] });
		// With "Always Output Data", n8n sends one empty item for each branch without items.
		else if (isOfN8n) this.emptyItems += 1;
		else if (Object.keys(json).length === 0 && this.damaged.length < FEW) this.damaged.push(index);
		else throw namelessItem(json);
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
				"Only 'Email', 'Customer ID' and 'Additional Fields' may differ between items. In the other settings, don't use expressions that read the item.",
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
		refuseOtherPrefixes(members, settings.customerIdPrefix);
		refuseOneEmail(members);
		refuseSharedIds(members);
		return settings;
	}

	/** What to remember after this list, if it does not count. */
	afterUncounted(memory: ListMemory, receivedAt: number): ListMemory {
		const named = this.members.length + this.damaged.length;
		const isRead = named + this.emptyItems === this.size;
		return afterUncounted(memory, isRead ? this.members : undefined, receivedAt);
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
