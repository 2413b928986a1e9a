import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { noticeField, optionsCollection } from '../operations/properties';
import type { Operation, OperationDescription } from '../operations/types';
import { channel } from './channel';
import { creator } from './creator';
import { episode } from './episode';
import { feed } from './feed';
import { invite } from './invite';
import { question } from './question';
import { role } from './role';
import { subscriber } from './subscriber';
import { usageAlert } from './usageAlert';
import type { Resource } from './resource';

/**
 * Every resource, under its key in saved workflows. The list of **Resource** and the actions in
 * n8n's node panel have this order: first what nearly every workflow uses, then the rest by name.
 */
export const resources = {
	subscriber,
	feed,
	usageAlert,
	channel,
	creator,
	episode,
	invite,
	question,
	role,
};

const all = Object.entries<Resource>(resources);

/** By resource and operation, as in `feed: get`. */
const everyOperation = new Map(
	all.flatMap(([resource, { kind, operations }]) =>
		Object.entries(operations).map(([key, operation]) => {
			return [`${resource}: ${key}`, { resource, key, kind, operation }] as const;
		}),
	),
);

/** The operation for the parameters `resource` and `operation`; undefined if there is none. */
export function findOperation(
	resource: string,
	operation: string,
): Operation | OperationDescription | undefined {
	return everyOperation.get(`${resource}: ${operation}`)?.operation;
}

/** The node's parameters: Resource, Operation, and those of each operation. */
export function resourceProperties(): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: all.map(([value, { kind, description }]) => {
				return { name: kind.label, value, description };
			}),
			default: 'subscriber',
		},
		...all.flatMap(([resource, one]) => operationSelectors(resource, one)),
		...[...everyOperation.values()].flatMap(({ resource, key, operation }) => {
			const { notice, properties, options } = operation;
			const notices = notice === undefined ? [] : [noticeField(notice)];
			const parameters = [...notices, ...properties, optionsCollection(options)];
			const show = { resource: [resource], operation: [key] };
			return updateDisplayOptions({ show }, parameters);
		}),
	];
}

/** The node's subtitle on the canvas, such as "Feed: Deactivate". */
export function subtitle(): string {
	const names = [...everyOperation].map(([name, { kind, operation }]) => {
		return [name, `${kind.label}: ${operation.name}`];
	});
	const chosen = '$parameter["resource"] + ": " + $parameter["operation"]';
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[${chosen}] || ${chosen} }}`;
}

/** Agents see a separate parameter if their default operation differs. */
function operationSelectors(
	resource: string,
	{ operations, toolOperation, ...chosen }: Resource,
): INodeProperties[] {
	const usual = chosen.defaultOperation ?? ('getAll' in operations ? 'getAll' : 'get');
	const show = { resource: [resource] };
	const isTool = { '@tool': [true] };
	const offered = Object.entries(operations);
	if (toolOperation === undefined) return [operationSelector(offered, usual, { show })];
	// An agent calls a tool with one item at a time, but Sync needs the whole list.
	const forAgents = offered.filter(([, operation]) => 'prepare' in operation);
	return [
		operationSelector(offered, usual, { show, hide: isTool }),
		operationSelector(forAgents, toolOperation, { show: { ...show, ...isTool } }),
	];
}

function operationSelector(
	offered: Array<[string, OperationDescription]>,
	chosen: string,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions,
		options: offered.map(([value, { name, action, description }]) => {
			return { name, value, action, description };
		}),
		default: chosen,
	};
}
