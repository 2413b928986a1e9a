import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';

/** A resource locator's value: how one record is named. */
export interface Locator {
	mode: string;
	value: string;
}

/** What an operation can read of one input item. Expressions are resolved already. */
export interface ItemParameters {
	/** The workflow's time zone, for dates that name none, such as `Europe/Berlin`. */
	readonly timezone: string;
	/** Whether an AI agent runs the node as its tool. */
	readonly isTool?: boolean;
	/** Value of the parameter `name` for this item; `fallback` for one that may not be shown. */
	parameter(name: string, fallback?: unknown): unknown;
	/** Value of a collection such as `additionalFields` or `options`. */
	collection(name: string): IDataObject;
	/** Value of the resource locator `name`. */
	locator(name: string): Locator;
}

/** What an operation does for one item whose parameters have been read and checked. */
export interface ItemTask {
	/** Names the record that the item works on: items of the same record keep their order. */
	record?: string;
	/**
	 * Talks to the service.
	 *
	 * @param addHint Takes a sentence that the editor shows with the output.
	 * @returns The records that the item leads to, each of which becomes one output item.
	 * @throws ServiceError, which the node ties to the item.
	 */
	run(client: SupercastClient, addHint?: (message: string) => void): Promise<IDataObject[]>;
}

/** What the editor shows of an operation. */
export interface OperationDescription {
	/** Label in the editor, in Title Case. */
	name: string;
	/** Label in the node's list of actions, in sentence case; also the name of the AI tool's action. */
	action: string;
	/** What it does to the people concerned; also what an AI agent chooses by. */
	description: string;
	/** What a person has to know before it runs: what ends, and what cannot be undone. */
	notice?: string;
	/** Its parameters, without display options: those are derived from where the operation stands. */
	properties: INodeProperties[];
	/** What its collection Options holds beside the request options that every operation has. */
	options?: INodeProperties[];
}

/** One operation of a resource, done for each input item. */
export interface Operation extends OperationDescription {
	/**
	 * Reads and checks the parameters of one item. Sends nothing: the node prepares every item before
	 * it sends the first request.
	 *
	 * @throws InputError when the item cannot lead to a meaningful request.
	 */
	prepare(item: ItemParameters): ItemTask;
}

/** One operation of a resource that takes all input items together, as one list. AI agents do not get it. */
export interface ListOperation extends OperationDescription {
	/** Begins to read the input items of a run. */
	startList(): ListReader;
}

/** An input item of a list: its parameters, and what it holds itself. */
export interface ListItem {
	parameters: ItemParameters;
	json: IDataObject;
}

/** Takes the items of a list one by one. */
export interface ListReader {
	/**
	 * Reads and checks one item.
	 *
	 * @throws InputError when the item cannot be used. The others may be.
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

/** What an operation does with a list that has been read and checked. */
export interface ListTask {
	/** @throws ServiceError when it came to an end before anything was changed. */
	run(tools: ListTools): Promise<ListResult>;
}

/** What a list operation works with. */
export interface ListTools {
	client: SupercastClient;
	/** Milliseconds since 1970. */
	now: number;
	/** Does the work for each of the things, several at a time. Ends at the first that throws. */
	forEach<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void>;
	/** Whether somebody has stopped the execution. */
	isStopped(): boolean;
}

/** What came of a list. */
export interface ListResult {
	/** The output items, each with the numbers of the input items that it comes from. */
	records: Array<{ json: IDataObject; items: number[] }>;
	/** What could not be done, each with the numbers of the input items that it was for. */
	failures: Array<{ error: Error; items: number[] }>;
	/** The failures in one error, which stops the node unless it continues on fail. */
	error?: Error;
	/** What the editor says about the run. */
	hints: ListHint[];
}

/** A sentence that the editor shows with the output. */
export interface ListHint {
	message: string;
	type: 'info' | 'warning';
}
