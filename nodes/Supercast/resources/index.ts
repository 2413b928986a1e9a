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
		...keys.flatMap(operationSelectors),
		...keys.flatMap(operationParameters),
	];
}

/** The node's subtitle on the canvas, such as "Feed: Deactivate". */
export function subtitle(): string {
	const names = Object.entries(resources).flatMap(([resource, { name }]) =>
		[...operationsOf(resource)].map(([key, operation]) => [
			`${resource}: ${key}`,
			`${name}: ${operation.name}`,
		]),
	);
	const chosen = '$parameter["resource"] + ": " + $parameter["operation"]';
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[${chosen}] || ${chosen} }}`;
}

function operationsOf(resource: string): Map<string, Operation | OperationDescription> {
	const found = Object.entries(resources).find(([key]) => key === resource);
	return new Map(found === undefined ? [] : Object.entries(found[1].operations));
}

/** The parameter Operation of a resource, and the one that agents see if theirs begins otherwise. */
function operationSelectors(resource: string): INodeProperties[] {
	const { defaultOperation, toolOperation } = resources[resource as keyof Resources];
	const operations = [...operationsOf(resource)];
	const show = { resource: [resource] };
	const selector = (
		offered: typeof operations,
		chosen: string,
		displayOptions: IDisplayOptions,
	): INodeProperties => {
		const options = offered.map(([value, { name, action, description }]) => ({
			name,
			value,
			action,
			description,
		}));
		const property: INodeProperties = {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions,
			options,
			default: '',
		};
		return { ...property, default: chosen };
	};
	if (toolOperation === undefined) return [selector(operations, defaultOperation, { show })];
	// An agent calls a tool with one item at a time, but Sync needs the whole list.
	const forAgents = operations.filter(([, operation]) => 'prepare' in operation);
	const isTool = { '@tool': [true] };
	return [
		selector(operations, defaultOperation, { show, hide: isTool }),
		selector(forAgents, toolOperation, { show: { ...show, ...isTool } }),
	];
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
