/** What a newcomer reads before anything has run: in n8n's search, in the lists and on the canvas. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { NodeHelpers, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';

import { resources } from '../../nodes/Supercast/resources';
import { Supercast } from '../../nodes/Supercast/Supercast.node';
import { SupercastTrigger } from '../../nodes/Supercast/SupercastTrigger.node';
import type { OperationDescription } from '../../nodes/Supercast/operations/types';

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
		ignore: /Ignore this usage alert and all later ones/,
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
