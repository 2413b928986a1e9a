import type { Workflow, WorkflowNode } from '../harness/n8n/setup';

/**
 * What n8n 3 removes or changes in workflows, as far as a file shows it. Each rule returns the names
 * of the nodes that it finds, or the name of the workflow.
 *
 * Sources: `docs` is docs/changelog/v30-breaking-changes.md in n8n-io/n8n-docs. The other names are
 * files of packages/cli/src/modules/breaking-changes/rules/v3/ in n8n-io/n8n, which n8n's own
 * migration report runs.
 */
export interface Rule {
	source: string;
	find: (workflow: Workflow) => string[];
}

/** Sources: docs "Removed nodes", removed-nodes.rule.ts, removed-nodes-with-replacements.rule.ts. */
export const REMOVED_NODES: readonly string[] = [
	...[
		'aiTransform',
		'cron',
		'function',
		'functionItem',
		'htmlExtract',
		'iCal',
		'interval',
		'itemLists',
		'moveBinaryData',
		'orbit',
		'readBinaryFile',
		'readBinaryFiles',
		'readPDF',
		'workflowTrigger',
		'writeBinaryFile',
	].map((name) => `n8n-nodes-base.${name}`),
	...[
		'code',
		'documentBinaryInputLoader',
		'documentGithubLoader',
		'documentJsonInputLoader',
		'lmOpenAi',
		'manualChatTrigger',
		'memoryChatRetriever',
		'memoryMotorhead',
		'memoryZep',
		'openAiAssistant',
		'toolHttpRequest',
		'toolSerpApi',
		'vectorStoreInMemoryInsert',
		'vectorStoreInMemoryLoad',
		'vectorStorePineconeInsert',
		'vectorStorePineconeLoad',
		'vectorStoreSupabaseInsert',
		'vectorStoreSupabaseLoad',
		'vectorStoreZep',
		'vectorStoreZepInsert',
		'vectorStoreZepLoad',
	].map((name) => `@n8n/n8n-nodes-langchain.${name}`),
];

/** n8n's own nodes that have several outputs, even if a file connects only one. */
const SEVERAL_OUTPUTS = /^n8n-nodes-base\.(if|switch|splitInBatches|compareDatasets)$/;

const typed = (workflow: Workflow, type: string) =>
	workflow.nodes.filter((node) => node.type === type);
const names = (nodes: WorkflowNode[]) => nodes.map(({ name }) => name);
const older = (workflow: Workflow, type: string, version: number) =>
	names(typed(workflow, type).filter(({ typeVersion }) => Number(typeVersion) < version));
const mentioning = (workflow: Workflow, text: RegExp) =>
	names(workflow.nodes.filter(({ parameters }) => text.test(JSON.stringify(parameters ?? {}))));

function hasSeveralOutputs(workflow: Workflow, { name, type, onError }: WorkflowNode): boolean {
	const connected = workflow.connections as Record<string, { main?: unknown[] }> | undefined;
	const outputs = connected?.[name]?.main?.length ?? 0;
	return outputs > 1 || onError === 'continueErrorOutput' || SEVERAL_OUTPUTS.test(type);
}

const SUB_WORKFLOW = 'n8n-nodes-base.executeWorkflow';

export const rules: Record<string, Rule> = {
	'no removed node': {
		source: 'docs "Removed nodes"; removed-nodes.rule.ts; removed-nodes-with-replacements.rule.ts',
		find: ({ nodes }) => names(nodes.filter(({ type }) => REMOVED_NODES.includes(type))),
	},
	'no AI Agent of version 1': {
		source: 'docs "AI Agent node: Older agent modes removed"; agent-node-version.rule.ts',
		find: (workflow) => older(workflow, '@n8n/n8n-nodes-langchain.agent', 2),
	},
	'no Gmail Trigger below 1.4': {
		source: 'gmail-trigger-version.rule.ts',
		find: (workflow) => older(workflow, 'n8n-nodes-base.gmailTrigger', 1.4),
	},
	'no sub-workflow that runs once for each item': {
		source: 'docs "Run once for each item mode removed"; execute-workflow-each-mode.rule.ts',
		find: (workflow) =>
			names(typed(workflow, SUB_WORKFLOW).filter(({ parameters }) => parameters.mode === 'each')),
	},
	'no sub-workflow from a file or an address': {
		source: 'execute-workflow-source-modes.rule.ts',
		find: (workflow) =>
			names(
				typed(workflow, SUB_WORKFLOW).filter(({ parameters }) =>
					['localFile', 'url'].includes(String(parameters.source)),
				),
			),
	},
	'no workflow that any other may call': {
		source: 'caller-policy-any-removed.rule.ts',
		find: ({ name, settings }) =>
			(settings as { callerPolicy?: string } | undefined)?.callerPolicy === 'any' ? [name] : [],
	},
	'no $getPairedItem': {
		source: 'docs "Removed expression helpers"; get-paired-item.rule.ts',
		find: (workflow) => mentioning(workflow, /\$getPairedItem/),
	},
	'no $evaluateExpression in a Code node': {
		source: 'docs "$evaluateExpression() removed from the Code node"',
		find: (workflow) =>
			mentioning(
				{ ...workflow, nodes: typed(workflow, 'n8n-nodes-base.code') },
				/\$evaluateExpression/,
			),
	},
	'no Always Output Data on a node with several outputs': {
		source: 'docs "Always Output Data"; always-output-data-multi-output.rule.ts',
		find: (workflow) =>
			names(
				workflow.nodes.filter(
					(node) => node.alwaysOutputData === true && hasSeveralOutputs(workflow, node),
				),
			),
	},
	'no chat embedded in a web page': {
		source: 'chat-trigger-embedded-json.rule.ts',
		find: (workflow) =>
			names(
				workflow.nodes.filter(
					({ type, parameters }) => /\.chatTrigger$/.test(type) && parameters.mode === 'webhook',
				),
			),
	},
	'no advice to import from a URL': {
		source: 'docs "Workflow import from URL in the editor"; workflow-import-url-removed.rule.ts',
		find: (workflow) => mentioning(workflow, /import[^.]{0,40}\bfrom (a |the )?URL/i),
	},
};

/** What n8n 3 would refuse or do differently, as "rule: node". */
export function brokenBy(workflow: Workflow): string[] {
	return Object.entries(rules).flatMap(([rule, { find }]) =>
		find(workflow).map((name) => `${rule}: ${name}`),
	);
}
