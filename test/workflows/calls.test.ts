import type { IDataObject } from 'n8n-workflow';

import type { WorkflowNode } from '../harness/n8n/setup';
import { readWorkflowFile } from './files';
import { counting, passedThrough } from './records';
import { resolved } from './resolve';
import { tableOf } from './tables';

const FILE = 'any-system.json';
const TOLD = 'nothing, and told once';
const NOT_COMPLETE = 'nothing, and told once a day';

/** What a person enters in **Call** and in **Who Counts**. */
interface Entered {
	call: Record<string, string>;
	counts: Record<string, string>;
}

/** The rows of the table in the note, by system. */
const noted = new Map<string, Entered>(
	readWorkflowFile(FILE)
		.nodes.map(({ parameters }) => String(parameters.content))
		.filter((text) => text.includes('| Ko-fi |'))
		.flatMap((text) => text.split('\n').filter((line) => /^\| [A-Z]/.test(line)))
		.map((line) => {
			const cells = line.split('|').slice(1, -1);
			const [system = '', kind = '', fields = '', email = '', customerId = ''] = cells.map((one) =>
				one.trim(),
			);
			return [system, { call: expressions({ kind, email, customerId }), counts: countsIn(fields) }];
		}),
);

function expressions(cells: Record<string, string>): Record<string, string> {
	const found = Object.entries(cells).map(([name, cell]) => [
		name,
		`=${/`([^`]+)`/.exec(cell)?.[1] ?? ''}`,
	]);
	return Object.fromEntries(found) as Record<string, string>;
}

/** "`a`, `b`: open. `c`: close" as fields of **Who Counts**. */
function countsIn(text: string): Record<string, string> {
	const fields: Record<string, string> = {};
	for (const [, kinds = '', access = ''] of text.matchAll(/((?:`[^`]+`(?:, )?)+): (open|close)/g))
		for (const [, kind] of kinds.matchAll(/`([^`]+)`/g)) fields[`access.${kind}`] = access;
	return fields;
}

/** What the file does with a call: the access that it gives to **Set Access**, or nothing. */
function done(body: unknown, { call, counts }: Entered = { call: {}, counts: {} }) {
	const edit = (node: WorkflowNode) => {
		// The note says to replace the fields.
		if (node.name === 'Who Counts' && Object.keys(counts).length > 0)
			node.parameters.assignments = { assignments: [] };
		counting(counts)(node);
		if (node.name !== 'Call') return;
		const { assignments } = node.parameters.assignments as {
			assignments: Array<{ name: string; value: unknown }>;
		};
		for (const field of assignments) field.value = call[field.name] ?? field.value;
	};
	const items = [{ body }] as IDataObject[];
	const [input = {}] = passedThrough(FILE, ['Call', 'Who Counts'], items, { edit });
	const named = resolved(FILE, 'Is It Named', 'conditions', { input }) as {
		conditions: Array<{ leftValue: unknown }>;
	};
	const isNamed = named.conditions.every(({ leftValue }) => leftValue === true);
	if (isNamed && !input.kind) return { input, access: NOT_COMPLETE };
	const access = isNamed ? resolved(FILE, 'Set Access', 'access', { input }) : TOLD;
	return { input, access };
}

/** A call of each tool, as its documentation has it. */
const bodies: Record<string, (kind: string) => object> = {
	'Ko-fi': (type) => ({ data: JSON.stringify({ type, email: 'ana@example.com' }) }),
	Gumroad: (kind) => {
		const [name, product] = kind.replace('test ', '').split(' ');
		return {
			...{ resource_name: name, product_id: product, subscription_id: 's1' },
			...(kind.startsWith('test ') && { test: 'true' }),
			...(name === 'sale' ? { email: 'ana@example.com' } : { user_email: 'ana@example.com' }),
		};
	},
	Kajabi: (kind) => ({
		payload: {
			...{ offer_id: kind.replace('offer ', ''), member_id: 7 },
			member_email: 'ana@example.com',
		},
	}),
	Outseta: (kind) => ({
		AccountStage: Number(kind.replace('stage ', '')),
		Uid: 'u1',
		PersonAccount: [
			{ IsPrimary: false, Person: { Email: 'colleague@example.com' } },
			{ IsPrimary: true, Person: { Email: 'ana@example.com' } },
		],
	}),
	Paddle: (kind) => {
		const [type, status] = kind.split(' ');
		return { event_type: `${type}.updated`, data: { status, customer_id: 'ctm_1' } };
	},
	'Lemon Squeezy': (kind) => {
		const [type, status] = kind.split(' ');
		const attributes = { status, user_email: 'ana@example.com', customer_id: 9 };
		return { data: { type, attributes } };
	},
};

describe('calls of other tools', () => {
	const table = tableOf('Calls of other tools');

	it('has a row in the note for each tool in the table, and the same fields', () => {
		expect(new Set(table.map(([tool]) => tool))).toEqual(new Set(noted.keys()));
		const kinds = table.filter(([, , access]) => access !== 'keep');
		expect([...noted.values()].flatMap(({ counts }) => Object.entries(counts)).sort()).toEqual(
			kinds.map(([, kind, access]) => [`access.${kind}`, access]).sort(),
		);
	});

	it.each(table)('%s, %s: %s', (tool = '', kind = '', access) => {
		const { input, access: given } = done(bodies[tool]!(kind), noted.get(tool));
		expect(input.kind).toBe(kind);
		expect(given).toBe(access === 'keep' ? TOLD : access);
		if (tool !== 'Paddle') expect(input.email).toBe('ana@example.com');
		else expect(input.customerId).toBe('ctm_1');
	});

	it.each([...noted.keys()])('%s: ten invented kinds change nothing, and are told', (tool) => {
		const invented = [
			...['Membership', 'active', 'canceled', 'open', 'close', 'keep', '', 'x y', '7', 'null'],
		];
		for (const kind of invented)
			expect([TOLD, NOT_COMPLETE]).toContain(done(bodies[tool]!(kind), noted.get(tool)).access);
	});
});

describe('calls of your own', () => {
	it.each([
		['open', 'open'],
		['Close ', 'close'],
		['keep', 'keep'],
		['delete', TOLD],
		['opened', TOLD],
	])('%j: %s', (access, given) => {
		expect(done({ access, email: 'ana@example.com' }).access).toBe(given);
	});

	it('says a kind once, and a call without one once a day', () => {
		const key = (input: IDataObject) => resolved(FILE, 'Not Told Yet', 'dedupeValue', { input });
		const { input } = done({ access: 'pause', email: 'ana@example.com' });
		const other = done({ access: 'pause', email: 'ben@example.com' }).input;
		expect(key(input)).toBe('kind pause ');
		expect(key(other)).toBe(key(input));
		expect(key(done({ email: 'ana@example.com' }).input)).toMatch(/^not complete \d{4}-/);
		expect(resolved(FILE, 'Email to You', 'subject', { input })).toBe(
			'Please look: calls of the kind pause (Members)',
		);
		expect(String(resolved(FILE, 'Email to You', 'text', { input }))).toContain(
			'Who Counts does not name calls of the kind "pause", so nothing changed.',
		);
	});
});
