import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import type { RecordKind } from './kinds';

/** What an operation can read from one input item. Expressions are already resolved. */
export interface ItemParameters {
	/** The workflow's time zone, such as `Europe/Berlin`, for dates without a time zone. */
	readonly timezone: string;
	readonly isTool?: boolean;
	/** A parameter's value. If the parameter may be hidden, pass a `fallback`. */
	parameter(name: string, fallback?: unknown): unknown;
	collection(name: string): IDataObject;
	locator(name: string): { mode: string; value: string };
}

export type AddHint = (message: string) => void;

/** What an operation does for one item whose parameters are valid. */
export interface ItemTask {
	/** Names of the record that the item works on. Items with the same record keep their order. */
	record?: string | string[];
	/** Whether its hint is about all records. An agent sees no hints, so it gets a note before them. */
	isList?: boolean;
	/** Sends requests, and returns output items. Throws ServiceError or InputError. */
	run(client: SupercastClient, addHint?: AddHint): Promise<IDataObject[]>;
}

/** What the editor shows about an operation. AI agents choose one by its description. */
export interface OperationDescription {
	name: string;
	/** Label in the node's list of actions, and of the AI tool's action. */
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

export interface Resource {
	/** The records that its operations are about. Their label is the resource's name. */
	kind: RecordKind;
	description: string;
	/** Defaults to Get Many, or to Get if there is no Get Many. */
	defaultOperation?: string;
	/** For AI agents that use the node as a tool. Defaults to `defaultOperation`. */
	toolOperation?: string;
	/** By their keys in saved workflows. Sync has no `prepare`: it takes all items as one list. */
	operations: Record<string, Operation | OperationDescription>;
}
