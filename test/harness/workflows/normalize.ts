import type { Workflow, WorkflowNode } from '../n8n/setup';

/**
 * The parts of a workflow that the files keep. An export contains more, such as its author's IDs.
 */
const KEPT = ['id', 'name', 'nodes', 'connections', 'settings'];
/** Settings that belong to one installation. */
const LOCAL_SETTINGS = ['errorWorkflow', 'callerPolicy', 'availableInMCP', 'binaryMode'];
/** Types of credentials for any system. Their names come from the address of the request. */
const ANY_SYSTEM = ['oAuth2Api', 'httpBearerAuth', 'httpHeaderAuth'];

/**
 * Removes from an exported workflow what belongs to one installation: credential IDs, webhook
 * addresses, pinned data, and settings. Sets Dry Run to true.
 * @param id The ID for the file, in place of the installation's.
 */
export function normalize(exported: Workflow, id = exported.id): Workflow {
	const kept = Object.fromEntries(KEPT.map((key) => [key, exported[key]])) as Workflow;
	const settings = Object.entries((exported.settings ?? {}) as Record<string, unknown>);
	return {
		...kept,
		id,
		nodes: exported.nodes.map(normalizeNode),
		settings: Object.fromEntries(settings.filter(([key]) => !LOCAL_SETTINGS.includes(key))),
	};
}

function normalizeNode(node: WorkflowNode): WorkflowNode {
	const copy = structuredClone(node);
	for (const [type, credential] of Object.entries(copy.credentials ?? {})) {
		const name = ANY_SYSTEM.includes(type) ? nameOfSystem(copy) : nameOfType(copy, type);
		if (name) Object.assign(credential, { id: null, name });
		else delete copy.credentials?.[type];
	}
	if (copy.type === 'n8n-nodes-base.webhook') {
		// When a workflow is pasted, n8n replaces a path that is the webhook's ID by a random one.
		copy.webhookId = `supercast-${String(copy.id)}`;
		copy.parameters.path = copy.webhookId;
	}
	if (copy.parameters.operation === 'sync') copy.parameters.dryRun = true;
	return copy;
}

/**
 * The name of a credential in the files: "Ghost account" for `ghostAdminApi`. n8n selects a
 * credential in all nodes whose credential has the same name. SMTP and chats have none, because n8n
 * doesn't run a workflow that names a missing credential. The first dry run needs neither.
 */
function nameOfType({ parameters }: WorkflowNode, type: string): string | undefined {
	if (type !== 'supercastApi' && parameters.nodeCredentialType !== type) return undefined;
	const name = type.replace(/(?:Admin)?Api$/, '');
	return `${name.charAt(0).toUpperCase()}${name.slice(1)} account`;
}

/** "Patreon account" for a request to https://www.patreon.com/…; undefined without a fixed host. */
function nameOfSystem({ parameters }: WorkflowNode): string | undefined {
	const host = /https?:\/\/([^/{']+)/.exec(parameters.url as string)?.[1];
	const domain = host?.split('.').at(-2);
	return domain && `${domain.charAt(0).toUpperCase()}${domain.slice(1)} account`;
}
