import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { SupercastClient } from '../api/client';

/** A resource locator's value: how one record is named. */
export interface Locator {
	mode: string;
	value: string;
}
/** What an operation works with: one input item, its parameters, and the service. */
export interface OperationItem {
	/** Position among the node's input items, from 0. */
	readonly index: number;
	readonly client: SupercastClient;
	/** The workflow's time zone, for dates that name none, such as `Europe/Berlin`. */
	readonly timezone: string;
	/** Value of the parameter `name` for this item, expressions resolved. */
	parameter(name: string): unknown;
	/** Value of a collection such as `additionalFields` or `options`. */
	collection(name: string): IDataObject;
	/** Value of the resource locator `name`. */
	locator(name: string): Locator;
}
/** One operation of a resource: what the editor shows of it, and what it does. */
export interface Operation {
	/** Label in the editor, in Title Case. */
	name: string;
	/** Label in the node's list of actions, in sentence case; also the name of the AI tool's action. */
	action: string;
	/** What it does to the people concerned; also what an AI agent chooses by. */
	description: string;
	/** Its parameters, without display options: those are derived from where the operation stands. */
	properties: INodeProperties[];
	/** Whether all items change the same record, so that they have to keep their order. */
	sameRecord?: boolean;
	/**
	 * Does it for one input item.
	 *
	 * @returns The records that the item leads to, each of which becomes one output item.
	 * @throws ServiceError or InputError, which the node ties to the item.
	 */
	execute(item: OperationItem): Promise<IDataObject[]>;
}
