/** What the package takes from n8n, and what is known about it in n8n 3. */
interface Taken {
	/** Imports from n8n-workflow, and methods and properties of n8n's contexts. */
	names: readonly string[];
	/** What n8n 3 does with them, if it is not the same. */
	inN8n3?: string;
	/**
	 * A file of `packages/workflow` in n8n-io/n8n at commit 0008cd5 (later than 2.41), the types of
	 * n8n-workflow 2.41.0, or a pull request in n8n-io/n8n.
	 */
	source: string;
}

export const TAKEN_FROM_N8N: readonly Taken[] = [
	{
		names: [
			'IExecuteFunctions',
			'IPollFunctions',
			'ILoadOptionsFunctions',
			'getNodeParameter',
			'getCurrentNodeParameter',
			'getInputData',
			'INodeExecutionData',
			'IDataObject',
			'getCredentials',
		],
		source: 'interfaces.ts',
	},
	{ names: ['getNode', 'getWorkflow', 'getMode', 'getTimezone'], source: 'interfaces.ts' },
	{ names: ['helpers', 'httpRequestWithAuthentication', 'httpRequest'], source: 'interfaces.ts' },
	{ names: ['getExecutionCancelSignal'], source: 'interfaces.ts' },
	{ names: ['continueOnFail', 'addExecutionHints'], source: 'interfaces.ts' },
	{
		names: ['isToolExecution', 'getParentNodes', 'getChildNodes', 'getWorkflowDataProxy'],
		source: 'interfaces.ts',
	},
	{
		names: ['IRunExecutionData'],
		inN8n3:
			'We have not checked this. Without runExecutionData, Sync does not notice that a branch has not run yet.',
		source: '2.41, NodeExecutionContext',
	},
	{
		names: ['IWorkflowExecuteAdditionalData', 'Workflow'],
		inN8n3:
			'We have not checked this. Without the two properties, n8n reads the credential for each item, and Sync writes no static data.',
		source: '2.41, NodeExecutionContext',
	},
	{ names: ['getPollBudgetMs'], source: 'interfaces.ts' },
	{
		names: ['getWorkflowStaticData'],
		inN8n3: 'Unchanged, but durable cursors save only node data.',
		source: 'interfaces.ts, 35295',
	},
	{ names: ['NodeApiError', 'NodeOperationError', 'Failure'], source: 'types of 2.41' },
	{ names: ['sleep', 'jsonParse', 'tryToParseDateTime'], source: 'types of 2.41' },
	{
		names: ['NodeConnectionTypes', 'INodeType', 'INodeTypeDescription', 'Icon'],
		inN8n3: "Unchanged, except that n8n 3 removes defaults.color, which the package doesn't use.",
		source: 'interfaces.ts, 34180',
	},
	{
		names: [
			'INodeProperties',
			'INodePropertyOptions',
			'INodePropertyMode',
			'INodeListSearchItems',
			'INodeListSearchResult',
			'updateDisplayOptions',
			'IDisplayOptions',
		],
		source: 'types of 2.41',
	},
	{ names: ['IHttpRequestOptions', 'IN8nHttpFullResponse'], source: 'types of 2.41' },
	{
		names: [
			'ICredentialType',
			'ICredentialTestRequest',
			'ICredentialDataDecryptedObject',
			'ICredentialTestFunctions',
			'ICredentialsDecrypted',
			'INodeCredentialTestResult',
			'IAuthenticateRuleResponseCode',
			'IAuthenticateRuleResponseSuccessBody',
		],
		source: 'types of 2.41',
	},
];
