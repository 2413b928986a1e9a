import fc from 'fast-check';
import {
	Expression,
	Workflow,
	createRunExecutionData,
	type IDataObject,
	type INodeTypes,
} from 'n8n-workflow';

import { isSameForAll, plainFieldOf } from '../../nodes/Supercast/execution/plainFields';

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

	it('a plain field is what n8n would return', () => {
		const json = fc.dictionary(name, value) as fc.Arbitrary<IDataObject>;
		let plain = 0;
		fc.assert(
			fc.property(json, name, (item, field) => {
				const typed = `={{ $json.${field} }}`;
				const known = plainFieldOf(typed, item);
				if (known === undefined) return;
				plain += 1;
				expect(known).toBe(evaluated(typed, item));
			}),
			{ numRuns: 500 },
		);
		expect(plain).toBeGreaterThan(50);
	});
});

it.each([
	...["={{ $json.x + '' }}", '={{ $json.x.y }}', '= {{ $json.x }}', '={{ $json.x }} ', '$json.x'],
	...["={{ $json['x'] }}", '={{ $json.x }}{{ $json.x }}', '={{ $json?.x }}', '={{ $json }}'],
])('n8n evaluates %s', (typed) => {
	expect(plainFieldOf(typed, { x: 'text' })).toBeUndefined();
});

it.each([null, undefined, {}, [], { y: 1 }, new Date(0)])('n8n evaluates a field with %j', (x) => {
	expect(plainFieldOf('={{ $json.x }}', { x })).toBeUndefined();
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
