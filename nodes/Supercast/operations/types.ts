import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import type { RecordKind } from './kinds';

/** What an operation can read from one input item. Expressions are already resolved. */
export interface ItemParameters {
	/** The workflow's time zone, such as `Europe/Berlin`, for dates without a time zone. */
	readonly timezone: string;
	/** Whether an AI agent runs the node as a tool. */
	readonly isTool?: boolean;
	/** A parameter's value. If the parameter may be hidden, pass a `fallback`. */
	parameter(name: string, fallback?: unknown): unknown;
	collection(name: string): IDataObject;
	locator(name: string): Locator;
}

/** A resource locator's value, which selects one record. */
export interface Locator {
	mode: string;
	value: string;
}

/** Adds a sentence that the editor shows with the output. */
export type AddHint = (message: string) => void;

/** What an operation does for one item, after its parameters have been read and checked. */
export interface ItemTask {
	/** Names of the record that the item works on. Items with the same record keep their order. */
	record?: string | string[];
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
	/** Its own options, in addition to the request options, which every operation has. */
	options?: INodeProperties[];
}

/** An operation of a resource that runs once for each input item. */
export interface Operation extends OperationDescription {
	/**
	 * Reads and checks the parameters of one item. Sends nothing, because the node prepares every
	 * item before the first request. Throws InputError if a parameter is invalid.
	 */
	prepare(item: ItemParameters): ItemTask;
}

/** One resource: what the editor shows about it, and its operations. */
export interface Resource {
	/** The records that its operations are about. Their label is the resource's name. */
	kind: RecordKind;
	description: string;
	/** The operation that is selected by default. Get Many, or else Get, if left out. */
	defaultOperation?: string;
	/** The default in a tool of an AI agent. If left out, the same operation. */
	toolOperation?: string;
	/** By their keys in saved workflows. Sync has no `prepare`: it takes all items as one list. */
	operations: Record<string, Operation | OperationDescription>;
}
