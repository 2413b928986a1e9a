import type { IDataObject, IExecuteFunctions, Workflow } from 'n8n-workflow';

import { asRecord, isRecord } from '../../api/json';

const SYNC_KEY = 'supercastSync';

/** The trigger keeps its state under this name (`trigger/state.ts`). */
const TRIGGER_KEY = 'supercastTrigger';

/** Deleted nodes leave their data behind, so each workflow keeps only the newest. */
const MOST_NODES = 20;

/**
 * What n8n stores for this node between executions, in the static data of the workflow, under the
 * node's ID. n8n keeps a node's own data under its name. So a renamed node would find none, or old
 * data.
 *
 * After an execution, n8n overwrites the static data of the whole workflow. So this changes nothing
 * in two cases. A worker of n8n 2.41.1 is given no static data, and would delete that of all nodes.
 * And the state of a Supercast Trigger may be newer than the copy that this execution was given.
 */
export class StaticData {
	constructor(private readonly context: IExecuteFunctions) {}

	get(name: string): unknown {
		const own = asRecord(this.stored[this.id]);
		return own[name];
	}

	set(name: string, valueOf: () => IDataObject): void {
		const all = this.all;
		if (all === undefined || !hasStaticData(workflowOf(this.context))) return;
		if (Object.keys(asRecord(all[TRIGGER_KEY])).length > 0) return;
		const { id } = this;
		const others = Object.entries(this.stored).filter(([other]) => other !== id);
		const own = { ...asRecord(this.stored[id]), [name]: valueOf() };
		all[SYNC_KEY] = Object.fromEntries([...others.slice(1 - MOST_NODES), [id, own]]);
	}

	private get id(): string {
		return this.context.getNode().id;
	}

	private get stored(): Record<string, unknown> {
		return asRecord(this.all?.[SYNC_KEY]);
	}

	/** Undefined if n8n has none for this execution. */
	private get all(): IDataObject | undefined {
		try {
			return this.context.getWorkflowStaticData('global');
		} catch {
			return undefined;
		}
	}
}

/** Beyond n8n's documented interface (n8n-core, NodeExecutionContext). */
function workflowOf(context: IExecuteFunctions): Partial<Workflow> {
	return (context as { workflow?: Partial<Workflow> }).workflow ?? {};
}

/**
 * Whether n8n has given this execution what it has stored. If it has given nothing, and a trigger of
 * the workflow stores something when the workflow is published, it has not.
 */
function hasStaticData({ staticData = {}, nodes = {}, nodeTypes }: Partial<Workflow>): boolean {
	const hasData = Object.values(staticData).some((one) => isRecord(one) && hasKeys(one));
	if (hasData || nodeTypes === undefined) return hasData;
	return !Object.values(nodes).some(({ type, typeVersion, disabled }) => {
		const nodeType = disabled === true ? {} : nodeTypes.getByNameAndVersion(type, typeVersion);
		return 'trigger' in nodeType || 'poll' in nodeType || 'webhookMethods' in nodeType;
	});
}

function hasKeys(one: object): boolean {
	return Object.keys(one).length > 0;
}
