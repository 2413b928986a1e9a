import {
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	NodeHelpers,
} from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { SupercastApi } from '../../credentials/SupercastApi.credentials';
import { SupercastOAuth2Api } from '../../credentials/SupercastOAuth2Api.credentials';
import { runSupercast } from '../harness/engine';
import { caseOf } from '../harness/engine/runCases';
import { Supercast } from '../../nodes/Supercast/Supercast.node';
import { SupercastTrigger } from '../../nodes/Supercast/SupercastTrigger.node';
import { ACCESS_TOKEN_SENTENCES, NOT_THE_API } from '../../nodes/Supercast/api/auth/testSentences';
import type { OperationDescription } from '../../nodes/Supercast/operations/types';
import { findOperation, resources } from '../../nodes/Supercast/resources';
import { optionsIn } from '../support/optionsIn';
import { credentialOf, useSandbox } from '../support/sandbox';

describe('the node', () => {
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
		const authentication = 'accessToken';
		const values = { resource, operation, authentication, returnAll: false, access: 'byStatus' };
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

		it('offers subscribers and feeds first, then the rest by name', () => {
			const offered = optionsOf(properties.find(({ name }) => name === 'resource')!);
			const [first, second, third, ...rest] = offered.map(({ name }) => name);
			expect([first, second, third]).toEqual(['Subscriber', 'Feed', 'Usage Alert']);
			expect(rest).toEqual([...rest].sort());
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
			expect(new Set(locators.map(({ name }) => name))).toEqual(
				new Set(Object.keys(LOCATOR_MODES)),
			);
			for (const { name, modes = [] } of locators) {
				expect(modes.map((mode) => mode.name)).toEqual(LOCATOR_MODES[name]);
				const method = modes[0]?.typeOptions?.searchListMethod ?? '';
				expect(Object.keys(node.methods.listSearch)).toContain(method);
			}
		});

		it('says that billing stops, in every suspension that starts from an alert', () => {
			const suspend = optionsOf(selectors('usageAlert')[0]!).find(
				({ value }) => value === 'suspend',
			);
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
				if (property.type === 'string') expect(property.placeholder).toMatch(/^e\.g\. /);
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
			// Sync reads the simplest expressions without n8n's method, which the spy records.
			const text = JSON.stringify(tried.parameters).replace(/\$json\.\w+/g, '($&)');
			const parameters = JSON.parse(text) as INodeParameters;
			for (const item of tried.items(sandbox.current)) {
				await runSupercast({
					parameters: { resource, operation, ...parameters },
					credential: credentialOf(sandbox.current),
					items: [item],
				});
			}
			spy.mockRestore();
			const names = [...read].map((name) => name.split('.')[0]);
			expect([...new Set(names)].sort()).toEqual(
				[...new Set(shown.map(({ name }) => name))].sort(),
			);
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
});

/** What a newcomer reads before anything has run: in n8n's search, in the lists and on the canvas. */
describe('the texts of the editor', () => {
	const { description: node } = new Supercast();

	/** n8n's list of operations shows two lines of a description, at least this many characters. */
	const SHOWN = 60;

	/**
	 * The point of each operation: what it changes, and what makes it dangerous or safe. At least, it
	 * names the record.
	 */
	const POINTS: { [R in keyof typeof resources]?: Record<string, RegExp> } = {
		channel: { get: /channel/, update: /Change .*channel/ },
		creator: {
			create: /Add a person/,
			delete: /Delete a creator permanently/,
			get: /one creator/,
			getAll: /List the people/,
			update: /Change .* creator/,
		},
		episode: {
			create: /Add an episode/,
			delete: /Delete an episode permanently/,
			get: /one episode/,
			getAll: /List .*episodes/,
			update: /Change an episode/,
		},
		feed: {
			activate: /Reopen private feeds/,
			deactivate: /Close private feeds when a membership ends, but keep/,
			get: /private feed of one subscriber/,
			suspend: /Close the private feeds .*temporarily/,
		},
		invite: { delete: /Delete an invite/, getAll: /List .*invites/ },
		question: { create: /Add a question/, getAll: /List .*questions/ },
		role: {
			create: /Add a role/,
			delete: /Delete a role permanently/,
			get: /one role/,
			getAll: /List .*roles/,
			update: /Change .* role/,
		},
		subscriber: {
			create: /Create a new subscriber .*open their .*feeds/,
			delete: /Delete a subscriber permanently and close their .*feed/,
			get: /one subscriber/,
			getAll: /List .*subscribers/,
			setAccess: /Give or end one person's access immediately/,
			sync: /Match .* to a list.*Dry Run is on by default/,
			update: /Change .* of a subscriber/,
			upsert: /Create a new subscriber, or update/,
		},
		usageAlert: {
			dismiss: /Dismiss only this usage alert/,
			getAll: /List the usage alerts/,
			ignore: /Ignore this usage alert and all later alerts/,
			suspend: /ends a paid subscription/,
		},
	};

	const operations = Object.entries(resources).flatMap(([resource, { operations: all }]) =>
		Object.entries<OperationDescription>(all).map(
			([key, operation]) => [resource as keyof typeof resources, key, operation] as const,
		),
	);

	it.each(operations)('%s: %s says its point before n8n cuts it off', (...tried) => {
		const [resource, key, { description }] = tried;
		expect(description.slice(0, SHOWN)).toMatch(
			POINTS[resource]?.[key] ?? new RegExp(resources[resource].kind.singular),
		);
	});

	/** n8n 2.41 cuts the descriptions of options after two lines, about so many characters. */
	const LONGEST = 112;

	it('no description in a list of options is cut off', () => {
		const all = [...node.properties, ...new SupercastTrigger().description.properties];
		expect(optionsIn(all).filter(({ description = '' }) => description.length > LONGEST)).toEqual(
			[],
		);
	});

	it('the subtitle on the canvas has the names that people see in the lists', () => {
		for (const [resource, key, { name }] of operations) {
			const subtitle = evaluate(node.subtitle!, { resource, operation: key });
			expect(subtitle).toBe(`${resources[resource].kind.label}: ${name}`);
		}
		expect(evaluate(node.subtitle!, { resource: 'no', operation: 'such' })).toBe('no: such');
	});

	/** What the editor makes of an expression for a subtitle. */
	function evaluate(expression: string, parameters: Record<string, string>): unknown {
		const [, code] = /^=\{\{(.*)\}\}$/s.exec(expression)!;
		expect(code).not.toContain('}}');
		return runInNewContext(code!, { $parameter: parameters });
	}

	it('the node is found by the same words as the trigger, since n8n shows one card for both', () => {
		const [words, ofTrigger] = ['Supercast', 'SupercastTrigger'].map((name) => {
			const path = join(__dirname, '../../nodes/Supercast', `${name}.node.json`);
			return (JSON.parse(readFileSync(path, 'utf8')) as { alias: string[] }).alias;
		});
		expect(words).toEqual(ofTrigger);
		expect(words).toEqual(
			expect.arrayContaining([
				'podcast',
				'private podcast',
				'membership',
				'cancel',
				'set access',
				'sync',
				...['feed link', 'deactivate', 'patreon'],
			]),
		);
	});

	it("the trigger's sentence fits both nodes, since n8n's card shows it for both", () => {
		expect(new SupercastTrigger().description.description).toBe(node.description);
		expect(node.description).toMatch(/Manage .* start workflows/);
	});

	/** The parameters that the editor shows for a new node. */
	function shownFor(name: string): INodeProperties[] {
		const values = Object.fromEntries(
			['resource', 'authentication'].map((one) => [one, initial(one)]),
		);
		return node.properties.filter((property) =>
			NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, { ...node, name }),
		);
	}

	function initial(parameter: string): string {
		return node.properties.find(({ name }) => name === parameter)!.default as string;
	}

	it.each([
		['supercast', 'create', true],
		['supercastTool', 'get', false],
	])('a new %s starts with the operation %s', (name, operation, hasSync) => {
		const [selector, ...others] = shownFor(name).filter((one) => one.name === 'operation');
		expect(others).toEqual([]);
		expect(selector!.default).toBe(operation);
		const offered = (selector!.options as INodePropertyOptions[]).map(({ value }) => value);
		expect(offered.includes('sync')).toBe(hasSync);
	});

	it('every collection says "Add" and what, in Title Case', () => {
		const collections = node.properties.filter(({ type }) => type === 'collection');
		const texts = new Set(collections.map(({ placeholder }) => placeholder));
		expect([...texts].sort()).toEqual(['Add Field', 'Add Filter', 'Add Option']);
	});

	it('Set Access says in view, not in a tooltip, that an email or a customer ID is enough', () => {
		const email = node.properties.find(
			({ name, displayOptions }) =>
				name === 'email' && displayOptions?.show?.operation?.includes('setAccess'),
		);
		expect(email?.hint).toMatch(/customer ID/);
	});
});

const credential = { accessToken: ' a-token ', baseUrl: 'https://supercast.tech/api/v1' };

async function sign(request: Partial<IHttpRequestOptions> & { uri?: string }) {
	return await new SupercastApi().authenticate(credential, request as IHttpRequestOptions);
}

describe('the access token', () => {
	it.each([
		[{ url: 'https://supercast.tech/api/v1/channel' }],
		[{ url: 'http://localhost:5000/api/v1/channel' }],
		[{ url: 'http://127.0.0.1:5000/v1' }],
		[{ url: '/channel', baseURL: 'https://supercast.tech/api/v1' }],
		[{ uri: 'https://supercast.tech/api/v1/channel' }],
		[{ url: ' HTTPS://supercast.tech/api/v1/channel' }],
	])('is added to %j', async (request) => {
		const { headers } = await sign({ ...request, headers: { a: '1' } });
		expect(headers).toEqual({ a: '1', Authorization: 'Bearer a-token' });
	});

	it.each([
		[{ url: 'http://supercast.tech/api/v1/channel' }],
		[{ url: ' HTTP://supercast.tech' }],
		[{ uri: 'http://supercast.tech/api/v1/channel' }],
		[{ url: '/channel', baseURL: 'http://supercast.tech/api/v1' }],
		[{ url: 'http://supercast.tech/x', baseURL: 'https://supercast.tech/api/v1' }],
		[{ url: '//supercast.tech/x', baseURL: 'http://other.example' }],
		[{ url: 'http://127.0.0.1.example.com/v1' }],
		[{ url: 'supercast.tech/api/v1' }],
		[{ url: 'ftp://supercast.tech/api/v1' }],
		[{}],
	])('is never added to %j', async (request) => {
		const signed = sign(request);
		await expect(signed).rejects.toThrow(/not secure|not a web address/);
		expect(JSON.stringify(request)).not.toContain('a-token');
	});

	it('is never added if the Base URL is missing or not secure', async () => {
		const request = { url: 'https://supercast.tech/x' } as IHttpRequestOptions;
		for (const baseUrl of [undefined, '', 'http://supercast.tech']) {
			const signed = new SupercastApi().authenticate({ ...credential, baseUrl: baseUrl! }, request);
			await expect(signed).rejects.toThrow(/'Base URL' is not/);
		}
	});
});

describe('the tests of the credentials', () => {
	const { rules = [] } = new SupercastOAuth2Api().test;
	const tests = [
		[new SupercastApi(), new Map(Object.entries(ACCESS_TOKEN_SENTENCES))],
		[
			new SupercastOAuth2Api(),
			new Map(rules.map(({ properties: rule }) => [String(rule.value), rule.message])),
		],
	] as const;

	/**
	 * Possible responses of a wrong host: a redirect, another site's page, or that the token is
	 * unknown.
	 */
	const OF_A_WRONG_HOST = [301, 302, 307, 308, 401, 403, 404];

	describe.each(tests)('the test of %p', ({ properties }, sentences) => {
		it.each(OF_A_WRONG_HOST)('names both hosts after a %i', (status) => {
			expect(sentences.get(String(status))).toContain(' https://supercast.tech/api/v1,');
			expect(sentences.get(String(status))).toContain(
				' https://your-channel.supercast.tech/api/v1.',
			);
		});

		it('distinguishes a redirect, a wrong address, a wrong token and a wrong channel', () => {
			const told = [301, 404, 401, 403].map((status) => sentences.get(String(status)));
			expect(new Set(told).size).toBe(4);
		});

		it('explains both hosts at the field for the address', () => {
			const field = properties.find(({ name }) => name === 'baseUrl');
			expect(field?.default).toBe('https://supercast.tech/api/v1');
			expect(field?.placeholder).toContain('https://your-channel.supercast.tech/api/v1');
			expect(field?.description).toMatch(/shared address or your channel's own/);
		});
	});

	it('the test of OAuth2 names both hosts for a web page', () => {
		const pages = rules.filter(({ type }) => type === 'responseSuccessBody');
		expect(pages.length).toBeGreaterThan(0);
		for (const { properties: rule } of pages) expect(rule.message).toBe(NOT_THE_API);
		expect(NOT_THE_API).toBe(ACCESS_TOKEN_SENTENCES[404]);
	});
});
