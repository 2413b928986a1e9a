import type { Workflow, WorkflowNode } from '../harness/n8n/setup';
import { REMOVED_NODES } from './n8n3Rules';

/** A workflow with one node called "It", and more. */
function workflow(node: Partial<WorkflowNode>, more: Partial<Workflow> = {}): Workflow {
	const it = {
		id: 'it',
		position: [0, 0],
		name: 'It',
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		parameters: {},
		...node,
	};
	return { id: 'w', name: 'It', nodes: [it], connections: {}, ...more };
}

const sub = (parameters: WorkflowNode['parameters']) =>
	workflow({ type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2, parameters });
const code = (jsCode: string) => workflow({ type: 'n8n-nodes-base.code', parameters: { jsCode } });
const always = (node: Partial<WorkflowNode>, outputs = 1) =>
	workflow(
		{ alwaysOutputData: true, ...node },
		{ connections: { It: { main: Array.from({ length: outputs }, () => []) } } },
	);

/** For each rule, files that break it, and files that come close. */
export const samples: Record<string, { broken: Workflow[]; close: Workflow[] }> = {
	'no removed node': {
		broken: REMOVED_NODES.map((type) => workflow({ type })),
		close: [code('return []'), workflow({ type: 'n8n-nodes-base.scheduleTrigger' })],
	},
	'no AI Agent of version 1': {
		broken: [1, 1.9].map((typeVersion) =>
			workflow({ type: '@n8n/n8n-nodes-langchain.agent', typeVersion }),
		),
		close: [workflow({ type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 2 })],
	},
	'no Gmail Trigger below 1.4': {
		broken: [workflow({ type: 'n8n-nodes-base.gmailTrigger', typeVersion: 1.3 })],
		close: [workflow({ type: 'n8n-nodes-base.gmailTrigger', typeVersion: 1.4 })],
	},
	'no sub-workflow that runs once for each item': {
		broken: [sub({ mode: 'each' })],
		close: [sub({ mode: 'once' }), sub({})],
	},
	'no sub-workflow from a file or an address': {
		broken: [sub({ source: 'localFile' }), sub({ source: 'url' })],
		close: [sub({ source: 'database' }), sub({ source: 'parameter' })],
	},
	'no workflow that any other may call': {
		broken: [workflow({}, { settings: { callerPolicy: 'any' } })],
		close: [workflow({}, { settings: { callerPolicy: 'workflowsFromSameOwner' } })],
	},
	'no $getPairedItem': {
		broken: [workflow({ parameters: { value: '={{ $getPairedItem("A", 0) }}' } })],
		close: [workflow({ parameters: { value: '={{ $("A").item }}' } })],
	},
	'no $evaluateExpression in a Code node': {
		broken: [code('return $evaluateExpression("{{ 1 }}")')],
		close: [workflow({ parameters: { value: '={{ $evaluateExpression("{{ 1 }}") }}' } })],
	},
	'no Always Output Data on a node with several outputs': {
		broken: [
			always({ type: '@n8n/n8n-nodes-langchain.textClassifier' }, 2),
			always({ onError: 'continueErrorOutput' }),
			always({ type: 'n8n-nodes-base.if' }),
			always({ type: 'n8n-nodes-base.switch' }),
		],
		close: [always({}), always({ onError: 'continueRegularOutput' })],
	},
	'no chat embedded in a web page': {
		broken: [
			workflow({
				type: '@n8n/n8n-nodes-langchain.chatTrigger',
				parameters: { mode: 'webhook' },
			}),
		],
		close: [workflow({ type: '@n8n/n8n-nodes-langchain.chatTrigger' })],
	},
	'no advice to import from a URL': {
		broken: [workflow({ parameters: { content: 'Select **Import from URL**.' } })],
		close: [workflow({ parameters: { content: 'Select **Import from File**.' } })],
	},
};
