import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { textOf } from '../api/json';
import { findOperation } from '../resources';
import { executeItems } from './executeItems';
import { executeSync } from './executeSync';

/**
 * Runs the chosen operation. Sync runs once for all input items, and any other
 * operation runs once for each item.
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = textOf(context.getNodeParameter('resource', 0));
	const name = textOf(context.getNodeParameter('operation', 0));
	const operation = findOperation(resource, name);
	return operation === undefined || 'prepare' in operation
		? await executeItems(context)
		: await executeSync(context);
}
