import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { textOf } from '../api/json';
import { findOperation } from '../resources';
import { executeItems } from './executeItems';
import { executeList } from './executeList';

/**
 * Runs the chosen operation. An operation on a list runs once for all input items, and any other
 * operation runs once for each item.
 */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = textOf(context.getNodeParameter('resource', 0));
	const name = textOf(context.getNodeParameter('operation', 0));
	const operation = findOperation(resource, name);
	return operation !== undefined && 'startList' in operation
		? await executeList(context, operation)
		: await executeItems(context);
}
