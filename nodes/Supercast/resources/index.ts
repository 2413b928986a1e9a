import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { optionsCollection } from '../operations/options';
import type { Operation, OperationDescription } from '../operations/types';
import { channel } from './channel';
import { creator } from './creator';
import { episode } from './episode';
import { feed } from './feed';
import { invite } from './invite';
import { question } from './question';
import { role } from './role';
import { subscriber } from './subscriber';
import type { OperationKeys, Resource } from './types';
import { usageAlert } from './usageAlert';

type Resources = { [Key in keyof OperationKeys]: Resource<Key> };

/** Every resource, under its key in saved workflows, in the order of the editor's list. */
export const resources: Resources = {
	channel,
	creator,
	episode,
	feed,
	invite,
	question,
	role,
	subscriber,
	usageAlert,
};

/** An agent calls a tool with one item at a time, but Sync needs the whole list. */
const notForAgents: IDisplayOptions = { hide: { '@tool': [true] } };

const DEFAULT_RESOURCE: keyof Resources = 'subscriber';

/**
 * Looks up the operation for the parameters `resource` and `operation`.
 *
 * @returns The operation, or undefined if it does not exist.
 */
export function findOperation(
	resource: string,
	operation: string,
): Operation | OperationDescription | undefined {
	return operationsOf(resource).get(operation);
}

/** The node's parameters: Resource, Operation, and those of each operation. */
export function resourceProperties(): INodeProperties[] {
	const keys = Object.keys(resources);
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: Object.entries(resources).map(([value, { name, description }]) => ({
				name,
				value,
				description,
			})),
			default: DEFAULT_RESOURCE,
		},
		...keys.map(operationSelector),
		...keys.flatMap(operationParameters),
	];
}

function operationsOf(resource: string): Map<string, Operation | OperationDescription> {
	const found = Object.entries(resources).find(([key]) => key === resource);
	return new Map(found === undefined ? [] : Object.entries(found[1].operations));
}

function operationSelector(resource: string): INodeProperties {
	const options = [...operationsOf(resource)].map(([value, operation]) => ({
		name: operation.name,
		value,
		action: operation.action,
		description: operation.description,
		...('prepare' in operation ? {} : { displayOptions: notForAgents }),
	}));
	const selector: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options,
		default: '',
	};
	return { ...selector, default: resources[resource as keyof Resources].defaultOperation };
}

function operationParameters(resource: string): INodeProperties[] {
	return [...operationsOf(resource)].flatMap(([key, { notice, properties, options }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [key] } }, [
			...noticeProperties(notice),
			...properties,
			optionsCollection(options),
		]),
	);
}

function noticeProperties(notice: string | undefined): INodeProperties[] {
	if (notice === undefined) return [];
	return [{ displayName: notice, name: 'notice', type: 'notice', default: '' }];
}
