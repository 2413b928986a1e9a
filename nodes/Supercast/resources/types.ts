import type { ListOperation, Operation } from '../operations/types';

/** The operations of each resource, under the keys that saved workflows hold. */
export interface OperationKeys {
	channel: 'get' | 'update';
	creator: 'create' | 'delete' | 'get' | 'getAll' | 'update';
	episode: 'create' | 'delete' | 'get' | 'getAll' | 'update';
	feed: 'activate' | 'deactivate' | 'get' | 'suspend';
	invite: 'delete' | 'getAll';
	question: 'create' | 'getAll';
	role: 'create' | 'delete' | 'get' | 'getAll' | 'update';
	subscriber: 'create' | 'delete' | 'get' | 'getAll' | 'sync' | 'update' | 'upsert';
	usageAlert: 'dismiss' | 'getAll' | 'ignore' | 'suspend';
}

/** One resource: what the editor shows of it, and what can be done with it. */
export interface Resource<Key extends keyof OperationKeys = keyof OperationKeys> {
	/** Label in the editor, in Title Case. */
	name: string;
	description: string;
	/** The operation that is chosen first. */
	defaultOperation: OperationKeys[Key];
	/** Every operation: one that is forgotten does not compile. */
	operations: Record<OperationKeys[Key], ListOperation | Operation>;
}
