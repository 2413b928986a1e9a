import type { RecordKind } from '../operations/kinds';
import type { Operation, OperationDescription } from '../operations/types';

/** What each file of this folder describes. Unlike the operation types, it has a record kind. */
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
