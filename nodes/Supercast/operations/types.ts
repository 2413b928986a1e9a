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

/** One operation of a resource: what the editor shows of it, and what it does. */
export interface Operation {
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
	/**
	 * Reads and checks the parameters of one item. Sends nothing: the node prepares every item before
	 * it sends the first request.
	 *
	 * @throws InputError when the item cannot lead to a meaningful request.
	 */
	prepare(item: ItemParameters): ItemTask;
}
