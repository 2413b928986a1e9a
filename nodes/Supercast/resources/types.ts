import type { Operation, OperationDescription } from '../operations/types';

/** The operations of each resource, under their keys in saved workflows. */
export interface OperationKeys {
	channel: 'get' | 'update';
	creator: 'create' | 'delete' | 'get' | 'getAll' | 'update';
	episode: 'create' | 'delete' | 'get' | 'getAll' | 'update';
	feed: 'activate' | 'deactivate' | 'get' | 'suspend';
	invite: 'delete' | 'getAll';
	question: 'create' | 'getAll';
	role: 'create' | 'delete' | 'get' | 'getAll' | 'update';
	subscriber: 'create' | 'delete' | 'get' | 'getAll' | 'setAccess' | 'sync' | 'update' | 'upsert';
	usageAlert: 'dismiss' | 'getAll' | 'ignore' | 'suspend';
}

/** One resource: what the editor shows about it, and its operations. */
export interface Resource<Key extends keyof OperationKeys = keyof OperationKeys> {
	/** Label in the editor, in Title Case. */
	name: string;
	description: string;
	/** The operation that is selected by default. */
	defaultOperation: OperationKeys[Key];
	/** The one that is selected when an agent gets the node as a tool, if it is another. */
	toolOperation?: OperationKeys[Key];
	/**
	 * Every operation. The package does not compile if one is missing. Sync is only described,
	 * because it takes all input items as one list.
	 */
	operations: Record<OperationKeys[Key], Operation | OperationDescription>;
}
