import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';

/** A resource locator's value, which selects one record. */
export interface Locator {
	mode: string;
	value: string;
}

/** What an operation can read of one input item. Expressions are already resolved. */
export interface ItemParameters {
	/** The workflow's time zone, such as `Europe/Berlin`, for dates that name none. */
	readonly timezone: string;
	/** Whether an AI agent runs the node as its tool. */
	readonly isTool?: boolean;
	/** Value of the parameter `name` for this item; `fallback` if it may not be shown. */
	parameter(name: string, fallback?: unknown): unknown;
	/** Value of a collection such as `additionalFields` or `options`. */
	collection(name: string): IDataObject;
	/** Value of the resource locator `name`. */
	locator(name: string): Locator;
}

/** What an operation does for one item, after its parameters were read and checked. */
export interface ItemTask {
	/** Names the record that the item works on. Items of the same record keep their order. */
	record?: string;
	/**
	 * Sends requests to Supercast.
	 *
	 * @param addHint Adds a sentence that the editor shows with the output.
	 * @returns The records for the item. Each becomes one output item.
	 * @throws ServiceError, which the node ties to the item.
	 */
	run(client: SupercastClient, addHint?: (message: string) => void): Promise<IDataObject[]>;
}

/** What the editor shows of an operation. */
export interface OperationDescription {
	/** Label in the editor, in Title Case. */
	name: string;
	/**
	 * Label in the node's list of actions, in sentence case. Also the name of the AI tool's action.
	 */
	action: string;
	/** What it does to the people concerned. An AI agent also chooses by this. */
	description: string;
	/** What a person must know before it runs: what ends, and what cannot be undone. */
	notice?: string;
	/** Its parameters, without display options. Those follow from the place of the operation. */
	properties: INodeProperties[];
	/** The options of this operation, besides the request options that every operation has. */
	options?: INodeProperties[];
}

/** An operation of a resource that runs once for each input item. */
export interface Operation extends OperationDescription {
	/**
	 * Reads and checks the parameters of one item. Sends nothing, since the node prepares every
	 * item before it sends the first request.
	 *
	 * @throws InputError when the item cannot lead to a meaningful request.
	 */
	prepare(item: ItemParameters): ItemTask;
}

/** An operation of a resource that takes all input items as one list. AI agents do not get it. */
export interface ListOperation extends OperationDescription {
	/** Starts to read the input items of a run. */
	startList(): ListReader;
}

/** An input item of a list: its parameters and its own data. */
export interface ListItem {
	parameters: ItemParameters;
	json: IDataObject;
}

/** Reads the items of a list one by one. */
export interface ListReader {
	/**
	 * Reads and checks one item.
	 *
	 * @throws InputError when the item cannot be used. The others may still be used.
	 */
	add(index: number, item: ListItem): void;
	/**
	 * Checks the list as a whole.
	 *
	 * @param badItems How many items could not be used.
	 * @throws InputError when the list cannot be used.
	 */
	finish(badItems: number): ListTask;
}

/** What an operation does with a list that was read and checked. */
export interface ListTask {
	/** @throws ServiceError when it ended before any change. */
	run(tools: ListTools): Promise<ListResult>;
}

/** What a list operation works with. */
export interface ListTools {
	client: SupercastClient;
	/** Milliseconds since 1970. */
	now: number;
	/** Does the work for each of the values, several at a time. Ends at the first that throws. */
	forEach<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void>;
	/** Whether someone has stopped the execution. */
	isStopped(): boolean;
}

/** The result of a list operation. */
export interface ListResult {
	/** The output items, each with the numbers of the input items that it comes from. */
	records: Array<{ json: IDataObject; items: number[] }>;
	/** What could not be done, each with the numbers of the input items that it was for. */
	failures: Array<{ error: Error; items: number[] }>;
	/** The failures in one error. It stops the node unless the node continues on fail. */
	error?: Error;
	/** What the editor says about the run. */
	hints: ListHint[];
}

/** A sentence that the editor shows with the output. */
export interface ListHint {
	message: string;
	type: 'info' | 'warning';
}
