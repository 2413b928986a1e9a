import {
	NodeHelpers,
	type IExecuteFunctions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { Supercast } from '../../nodes/Supercast/Supercast.node';
import { findOperation, resources } from '../../nodes/Supercast/resources';
import { caseOf } from '../../harness/engine/runCases';
import { runSupercast } from '../../harness/engine';
import { credentialOf, useSandbox } from '../support/sandbox';

const node = new Supercast();
const { properties } = node.description;

/** Operations in saved workflows, from the contract's table. */
const CONTRACT = {
	channel: ['get', 'update'],
	creator: ['create', 'delete', 'get', 'getAll', 'update'],
	episode: ['create', 'delete', 'get', 'getAll', 'update'],
	feed: ['activate', 'deactivate', 'get', 'suspend'],
	invite: ['delete', 'getAll'],
	question: ['create', 'getAll'],
	role: ['create', 'delete', 'get', 'getAll', 'update'],
	subscriber: ['create', 'delete', 'get', 'getAll', 'setAccess', 'sync', 'update', 'upsert'],
	usageAlert: ['dismiss', 'getAll', 'ignore', 'suspend'],
};

const LOCATOR_MODES: Record<string, string[]> = {
	subscriber: ['list', 'email', 'uuid', 'customerId'],
	creator: ['list', 'email', 'uuid'],
	episode: ['list', 'id'],
	usageAlert: ['list', 'id'],
	role: ['list', 'id'],
	invite: ['list', 'id'],
};

function optionsOf(property: INodeProperties): INodePropertyOptions[] {
	return (property.options ?? []) as INodePropertyOptions[];
}

function selectors(resource: string): INodeProperties[] {
	return properties.filter(
		({ name, displayOptions }) =>
			name === 'operation' &&
			displayOptions?.show?.resource?.includes(resource) &&
			displayOptions.show['@tool'] === undefined,
	);
}

/** Everything that the editor shows for an operation. */
function panelOf(resource: string, operation: string): INodeProperties[] {
	const values = { resource, operation, authentication: 'accessToken', returnAll: false };
	return properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, null, node.description),
	);
}

/** The parameters that the editor shows for an operation. */
function shownFor(resource: string, operation: string): INodeProperties[] {
	return panelOf(resource, operation).filter(({ type }) => type !== 'notice');
}

const operations = Object.entries(CONTRACT).flatMap(([resource, keys]) =>
	keys.map((operation): [string, string] => [resource, operation]),
);

describe('the description', () => {
	it('shows the operations of the contract, each with a handler', () => {
		const shown = Object.fromEntries(
			Object.keys(resources).map((resource) => {
				const [selector, ...more] = selectors(resource);
				expect(more).toEqual([]);
				return [
					resource,
					optionsOf(selector!)
						.map(({ value }) => value as string)
						.sort(),
				];
			}),
		);
		expect(shown).toEqual(CONTRACT);
		for (const [resource, operation] of operations) {
			expect(findOperation(resource, operation)).toBeDefined();
		}
		expect(findOperation('subscriber', 'toString')).toBeUndefined();
		expect(findOperation('constructor', 'get')).toBeUndefined();
	});

	it('has Resource before Operation, both without expressions', () => {
		const names = properties.map(({ name }) => name);
		expect(names.indexOf('resource')).toBeLessThan(names.indexOf('operation'));
		for (const property of properties.filter(({ name }) => /^(resource|operation)$/.test(name))) {
			expect(property.noDataExpression).toBe(true);
		}
	});

	it('chooses a default among the options', () => {
		for (const property of properties.filter(({ type }) => type === 'options')) {
			expect(optionsOf(property).map(({ value }) => value)).toContain(property.default);
		}
	});

	it('fills every list of a locator with an existing method, and has the modes of the contract', () => {
		const locators = properties.filter(({ type }) => type === 'resourceLocator');
		expect(new Set(locators.map(({ name }) => name))).toEqual(new Set(Object.keys(LOCATOR_MODES)));
		for (const { name, modes = [] } of locators) {
			expect(modes.map((mode) => mode.name)).toEqual(LOCATOR_MODES[name]);
			const method = modes[0]?.typeOptions?.searchListMethod ?? '';
			expect(Object.keys(node.methods.listSearch)).toContain(method);
		}
	});

	it('says that billing stops, in every suspension that starts from an alert', () => {
		const suspend = optionsOf(selectors('usageAlert')[0]!).find(({ value }) => value === 'suspend');
		for (const text of [suspend?.name, suspend?.action, suspend?.description]) {
			expect(text).toMatch(/billing/i);
		}
	});
});

describe('the notices', () => {
	const noticeOf = (resource: string, operation: string) =>
		panelOf(resource, operation).find(({ type }) => type === 'notice')?.displayName ?? '';

	it('say of every deletion that it cannot be undone', () => {
		const deletions = operations.filter(([, operation]) => operation === 'delete');
		expect(deletions.length).toBe(5);
		for (const deletion of deletions) expect(noticeOf(...deletion)).toMatch(/cannot be undone/);
	});

	it.each([
		['usageAlert', 'suspend'],
		['feed', 'deactivate'],
	])('%s: %s say what happens to the payment', (resource, operation) => {
		expect(noticeOf(resource, operation)).toMatch(/paid subscription/);
	});

	it('are at the top, under Operation', () => {
		for (const operation of operations.filter((one) => noticeOf(...one) !== '')) {
			const names = panelOf(...operation).map(({ type }) => type);
			expect(names.slice(0, 4)).toEqual(['options', 'options', 'options', 'notice']);
		}
	});
});

describe.each(operations)('%s: %s', (resource, operation) => {
	const shown = shownFor(resource, operation);
	const sandbox = useSandbox();

	it('has labels in Title Case, and an action and description in sentence case', () => {
		const option = optionsOf(selectors(resource)[0]!).find(({ value }) => value === operation);
		expect(option?.name).toMatch(/^[A-Z]/);
		expect(option?.action).toMatch(/^[A-Z][^A-Z]*$/);
		expect(option?.description).toMatch(/^[A-Z]/);
		expect(option?.description?.length).toBeGreaterThan(10);
		for (const { displayName } of shown.flatMap(withCollected)) {
			const small = /^(a|an|and|at|by|for|if|in|of|on|or|per|the|to|\(JSON\)|\(%\))$/;
			const words = displayName.split(' ').filter((word) => !small.test(word));
			for (const word of words) expect(word).toMatch(/^[A-Z(]/);
		}
	});

	it('describes every parameter, and gives it a default', () => {
		for (const property of shown.flatMap(withCollected)) {
			expect(property).toHaveProperty('default');
			const hasNoText = ['collection', 'options'].includes(property.type);
			const isSelector = /^(resource|operation|authentication)$/.test(property.name);
			if (!hasNoText && !isSelector) expect(property.description ?? '').toMatch(/^(Max|[A-Z])/);
			if (property.type === 'boolean') expect(property.description).toMatch(/^Whether /);
			if (property.placeholder && property.type === 'string') {
				expect(property.placeholder).toMatch(/^e\.g\. /);
			}
		}
	});

	it('reads every parameter that it shows, and no others', async () => {
		const read = new Set<string>();
		const execute = Supercast.prototype.execute;
		const spy = jest.spyOn(Supercast.prototype, 'execute').mockImplementation(async function (
			this: IExecuteFunctions,
		) {
			return await execute.call(recordingReads(this, read));
		});
		const tried = caseOf(resource, operation);
		for (const item of tried.items(sandbox.current)) {
			await runSupercast({
				parameters: { resource, operation, ...tried.parameters },
				credential: credentialOf(sandbox.current),
				items: [item],
			});
		}
		spy.mockRestore();
		expect([...read].sort()).toEqual([...new Set(shown.map(({ name }) => name))].sort());
	});
});

/** A parameter and, for a collection, the fields that can be added. */
function withCollected(property: INodeProperties): INodeProperties[] {
	const inner = property.type === 'collection' ? (property.options as INodeProperties[]) : [];
	return [property, ...inner];
}

/** The same context, which notes the names of the parameters that the node reads. */
function recordingReads(context: IExecuteFunctions, read: Set<string>): IExecuteFunctions {
	return new Proxy(context, {
		get: (target, key) => {
			const value = Reflect.get(target, key) as unknown;
			if (key !== 'getNodeParameter' || typeof value !== 'function') return value;
			return (name: string, ...rest: unknown[]) => {
				read.add(name);
				return value.call(target, name, ...rest) as unknown;
			};
		},
	});
}
