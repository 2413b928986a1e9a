import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import type { Whom } from '../api/identity';
import type { QueuePlace } from '../api/ledger/personQueues';

/** What an operation can read from one input item. Expressions are already resolved. */
export interface ItemParameters {
	/** The workflow's time zone, such as `Europe/Berlin`, for dates without a time zone. */
	readonly timezone: string;
	readonly isTool?: boolean;
	/** When the node began to read the items, in milliseconds since 1970. */
	readonly now: number;
	/** Whether the items are pinned or from an earlier execution. */
	readonly isOld: boolean;
	/** A parameter's value. If the parameter may be hidden, pass a `fallback`. */
	parameter(name: string, fallback?: unknown): unknown;
	collection(name: string): IDataObject;
	locator(name: string): { mode: string; value: number | string };
}

export type AddHint = (message: string) => void;

/** What an operation does for one item whose parameters are valid. */
export interface ItemTask {
	/** Names of the record that the item works on. Items with the same record keep their order. */
	record?: string | string[];
	/** Whom it changes. The changes of a person keep the order of arrival. */
	changes?: Whom;
	/** Whether its hint is about all records. Agents see no hints, so they get it as an item. */
	isList?: boolean;
	/**
	 * Sends requests, and returns output items. Throws ServiceError or InputError.
	 * @param place The place of the person in the queue, if the item has taken it.
	 */
	run(client: SupercastClient, addHint?: AddHint, place?: QueuePlace): Promise<IDataObject[]>;
}

/** What the editor shows about an operation. AI agents choose one by its description. */
export interface OperationDescription {
	name: string;
	/** The label in the node's list of actions, and of the AI tool's action. */
	action: string;
	description: string;
	/** What users must know before they run it: what it ends, and what can't be undone. */
	notice?: string;
	/** Its parameters. The node adds display options for the resource and the operation. */
	properties: INodeProperties[];
	/** Its options, besides the request options, which every operation has. */
	options?: INodeProperties[];
}

export interface Operation extends OperationDescription {
	/** Checks one item, before the first request for any item. Throws InputError. */
	prepare(item: ItemParameters): ItemTask;
}
