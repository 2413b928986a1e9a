import fc from 'fast-check';
import {
	Expression,
	Workflow,
	createRunExecutionData,
	type IDataObject,
	type INodeTypes,
} from 'n8n-workflow';

import { runs } from '../support/deep';
import { isSameForAll, PlainExpressions } from '../../nodes/Supercast/execution/plainFields';

/** Names of fields, with those that every object has. */
const NAMES = ['email', 'x', '_id', 'customerId2', 'length', 'first', 'constructor', 'toString'];
const name = fc.constantFrom(...NAMES);
const value = fc.oneof(
	fc.jsonValue(),
	fc.constantFrom(
		'={{ 6 * 7 }}',
		'{{ $json.x }}',
		'=',
		'',
		' ',
		'__proto__',
		0,
		-0,
		1e308,
		2 ** 60,
	),
);

const workflow = new Workflow({
	nodes: [{ id: '1', name: 'N', type: 'n', typeVersion: 1, position: [0, 0], parameters: {} }],
	connections: {},
	active: false,
	nodeTypes: { getByNameAndVersion: () => undefined } as unknown as INodeTypes,
});

/** What n8n makes of an expression for an item. */
function evaluated(typed: string, json: IDataObject): unknown {
	return workflow.expression.getParameterValue(
		typed,
		createRunExecutionData({}),
		0,
		0,
		'N',
		[{ json }],
		'manual',
		{},
	);
}

describe.each(['legacy', 'quickjs'] as const)('with the engine %s of n8n', (engine) => {
	beforeAll(async () => {
		await Expression.initExpressionEngine({
			...{
				engine,
				bridgeTimeout: 5000,
				bridgeMemoryLimit: 128,
				maxCodeCacheSize: 100,
				poolSize: 1,
			},
		});
		if (engine === 'quickjs') await workflow.expression.acquireIsolate();
	});

	afterAll(async () => {
		if (engine === 'quickjs') await workflow.expression.releaseIsolate();
		await Expression.disposeExpressionEngine();
		Expression.setExpressionEngine('legacy');
	});

	/** The node makes no difference between null and a missing value. */
	const shown = (one: unknown): string => JSON.stringify(one ?? null);
	const quoted = fc.constantFrom(...NAMES, 'a name', '1', 'x-y');
	const step = fc.oneof(
		name.map((one) => `.${one}`),
		name.map((one) => `?.${one}`),
		quoted.map((one) => `['${one}']`),
		quoted.map((one) => `?.["${one}"]`),
	);
	const path = fc.array(step, { minLength: 1, maxLength: 2 }).map((steps) => steps.join(''));
	// An engine of n8n fails at an item that has such a field.
	const key = fc.oneof(name, quoted).filter((one) => !(one in Object.prototype));
	const own = fc.dictionary(key, value, { noNullPrototype: true });
	const nested = fc.oneof(value, own, fc.array(own, { maxLength: 3 }));
	const json = fc.dictionary(key, nested, {
		noNullPrototype: true,
	}) as fc.Arbitrary<IDataObject>;
	const text = fc.constantFrom('', '', 'shop-', ' ', 'a\nb');

	/** Returns for which share of the items the value was known without n8n. */
	function compared(expressions: fc.Arbitrary<string>): number {
		const plain = new PlainExpressions();
		const settings = runs(40);
		let known = 0;
		fc.assert(
			fc.property(expressions, json, (typed, item) => {
				const found = plain.valueOf(typed, item);
				if (found === undefined) return;
				known += 1;
				expect(shown(found.value)).toBe(shown(evaluated(typed, item)));
			}),
			settings,
		);
		return known / settings.numRuns;
	}

	it('a field, also in brackets and with text around it, is what n8n would return', () => {
		const typed = fc
			.tuple(text, path, text)
			.map(([before, one, after]) => `=${before}{{ $json${one} }}${after}`);
		expect(compared(typed)).toBeGreaterThan(0.2);
	});

	it('a field of each entry of a list is what n8n would return', () => {
		const typed = fc
			.tuple(step, fc.constantFrom('.', '?.'), fc.oneof(path, fc.constant('')))
			.map(([list, dot, one]) => `={{ $json${list}${dot}map((one) => one${one}) }}`);
		expect(compared(typed)).toBeGreaterThan(0.02);
	});
});

it.each<[string, unknown]>([
	['={{ $json.x }}', 'Ann'],
	["={{ $json?.['a name'].y }}", 7],
	['=shop-{{ $json.x }}', 'shop-Ann'],
	['=shop-{{ $json.missing }}', 'shop-'],
	['={{ $json.missing }}', undefined],
	['={{ $json.list.map((one) => one.id) }}', ['a', undefined]],
	['={{ $json.list.map(one => one?.["id"]) }}', ['a', undefined]],
])('the value of %s is known', (typed, expected) => {
	const item = { x: 'Ann', 'a name': { y: 7 }, list: [{ id: 'a' }, {}] };
	expect(new PlainExpressions().valueOf(typed, item)).toEqual({ value: expected });
});

it.each([
	...["={{ $json.x + '' }}", '={{ $json.x.y }}', '={{ $json.x }}{{ $json.x }}', '={{ $json }}'],
	...['$json.x', '={{ $json[x] }}', '={{ $json.constructor }}', '=a {{ $json.object }}'],
	...['={{ $json.x.map((one) => one) }}', '={{ $json.list.map((one) => other.id) }}'],
])('n8n evaluates %s', (typed) => {
	const item = { x: 'text', object: { y: 1 }, list: [{ id: 'a' }] };
	expect(new PlainExpressions().valueOf(typed, item)).toBeUndefined();
});

it.each([
	['text', true],
	[{ one: 'text', other: 5 }, true],
	["={{ $execution.mode === 'test' ? 'all' : 'summary' }}", true],
	['={{ $vars.show }} in {{ $workflow.name }}', true],
	['={{ $json.x }}', false],
	['={{ $execution.mode }} {{ $json.x }}', false],
	["={{ $('Node').item.json.x }}", false],
	['={{ $itemIndex }}', false],
	['={{ $input.item.json.x }}', false],
	['={{ Math.random() }}', false],
	["={{ $workflow.name + this['$json'].x }}", false],
])('whether %j is the same for all items: %s', (typed, isSame) => {
	expect(isSameForAll(typed)).toBe(isSame);
});
