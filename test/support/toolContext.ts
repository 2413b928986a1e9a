import 'reflect-metadata';

import { SupplyDataContext } from 'n8n-core';
import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { additionalData, buildWorkflow } from '../harness/engine';

/** The context of a node that an agent calls as a tool, with one item. */
export function toolContext(
	credential: { accessToken: string; baseUrl: string },
	parameters: INodeParameters,
): IExecuteFunctions {
	const options = { parameters, credential };
	const { workflow } = buildWorkflow(options);
	const node = workflow.getNode('Supercast')!;
	const items = [[{ json: { email: 'ann@example.com' } }]];
	const inputData = { ai_tool: items };
	const executeData = { node, data: inputData, source: null };
	const context = new SupplyDataContext(
		workflow,
		node,
		additionalData(options, workflow),
		'manual',
		{ resultData: { runData: {} } } as never,
		0,
		items[0]!,
		inputData,
		'ai_tool',
		executeData,
		[],
	);
	return context as unknown as IExecuteFunctions;
}
