import { SYSTEMS } from '../../simulators/memberships';
import type { MembershipSystem } from '../../simulators/memberships/system';
import { valuesOf } from './files';
import { counting, countsOf, theList, whoIs } from './records';
import { resolved } from './resolve';
import { tableOf } from './tables';

/** Statuses that nobody has documented. */
const INVENTED = [
	...['active-trial', 'Active', 'ACTIVE', ' active', 'open', 'close', 'keep'],
	...['#N/A', '__proto', 'toString', '0', 'undefined', ''],
];

/** The accesses that change something. Everything else is told, and treated like `keep`. */
const CHANGES = ['open', 'close'];

const systems = Object.values(SYSTEMS);

/** What the nodes before **Who Is a Member** have returned, except for the pages. */
const ranOf = ({ workflow: { reader, ran } }: MembershipSystem) => ({
	...{ [reader]: [{}], 'Each Subscription': [], 'Each Member': [], ...ran },
});

/** A list without a system has no documented statuses. */
const withTable = systems.filter(({ title }) => tableOf(title).length > 0);

it.each(withTable)(
	'the file of $title has each status that is documented in Who Counts, and no other',
	({ title, file, workflow: { otherFields = {} } }) => {
		const rows = tableOf(title).map(([status = '', access]): [string, unknown] => [status, access]);
		expect(rows.length).toBeGreaterThan(2);
		const own = rows.filter(([status]) => otherFields[status] === undefined);
		expect(countsOf(file)).toEqual(Object.fromEntries(own));
		const others = rows.filter(([status]) => otherFields[status] !== undefined);
		const values = valuesOf(file, 'Who Counts');
		for (const [status, access] of others) expect(values[otherFields[status]!]).toBe(access);
		expect(others.map(([status]) => status)).toEqual(Object.keys(otherFields));
	},
);

it('has a table for each system but a list', () => {
	expect(systems.filter((one) => !withTable.includes(one)).map(({ file }) => file)).toEqual([
		'any-list.json',
	]);
});

const withStatuses = systems.flatMap(({ workflow: { statuses }, ...system }, at) =>
	statuses === undefined ? [] : [{ ...system, ...statuses, ran: ranOf(systems[at]!) }],
);

describe.each(withStatuses)('$title', ({ title, file, page, ran, product }) => {
	const accessOf = (status: string | null) => whoIs(file, [page(status)], { ran })[0]?.access;
	const documented = tableOf(title);

	it.each(documented)('%s: %s', (status = '', access) => {
		expect(accessOf(status)).toBe(access === 'grace' ? 'keep' : access);
		expect(whoIs(file, [page(status)], { ran })[0]?.status).toBe(status);
	});

	it.each(INVENTED)('nobody is opened or closed for the status %j', (status) => {
		expect(CHANGES).not.toContain(accessOf(status));
		expect(whoIs(file, [page(status)], { ran })[0]).toMatchObject({
			email: 'ana@example.com',
			status: status === '' ? expect.anything() : status,
		});
	});

	it('gives each record the access that a person has chosen for its status', () => {
		const [first = ''] = documented.find(([, access]) => access === 'open') ?? [];
		const edit = counting({ [`access.${first}`]: 'keep' });
		expect(whoIs(file, [page(first)], { ran, edit })[0]?.access).toBe('keep');
	});

	it('makes nothing of an empty list, and of a page that is none', () => {
		for (const wrong of [{}, { data: '<html>' }, { data: null }, { members: null }]) {
			const [record] = whoIs(file, [wrong], { ran });
			expect([record?.email, record?.customerId]).toEqual([undefined, undefined]);
			expect(CHANGES).not.toContain(record?.access);
		}
	});

	if (product === undefined) return;
	const { word, name, moved } = product;
	it('neither opens nor closes someone whose product has another name, or who has moved to another', () => {
		const edit = counting({ [`${word}.other`]: '', [`${word}.${name}`]: 'open' });
		const active = documented.find(([, access]) => access === 'open')?.[0] ?? '';
		expect(whoIs(file, [page(active)], { ran, edit })[0]?.access).toBe('open');
		const [record] = whoIs(file, [moved()], { ran, edit });
		expect(CHANGES).not.toContain(record?.access);
		// The status says which, so that a person can decide.
		expect(record?.status).not.toBe(active);
	});
});

const withRecords = systems.filter(({ workflow }) => workflow.records !== undefined);

describe.each(withRecords)('$title, other records', (system) => {
	const { file, workflow } = system;

	it.each(workflow.records ?? [])(
		'$name: $access',
		({ page, counts = {}, access, status, fields = {} }) => {
			const how = { ran: ranOf(system), edit: counting(counts) };
			const record = whoIs(file, [page], how)[0] ?? {};
			if (access === 'unclear') expect(CHANGES).not.toContain(record.access);
			else expect(record.access).toBe(access);
			if (status !== undefined) expect(record.status).toEqual(expect.stringMatching(status));
			if (typeof status === 'string') expect(record.status).toBe(status);
			expect(record).toMatchObject(fields);
		},
	);
});

const withTotals = systems.filter(({ workflow }) => workflow.totals !== undefined);

describe.each(withTotals)('the list of $title', (system) => {
	const { file, workflow } = system;

	it.each(workflow.totals ?? [])(
		'expects $expected records: $name',
		({ page, expected, hint = '' }) => {
			const ran = { ...ranOf(system), [workflow.reader]: [page] };
			const list = theList(file, [page], { ran });
			const { recordsExpected } = resolved(file, 'Sync', 'options', {
				...{ input: whoIs(file, [page], { ran })[0] ?? {}, ran: { ...ran, 'The List': [list] } },
			}) as { recordsExpected: unknown };
			if (expected === 'unknown') expect(Number(recordsExpected)).toBeNaN();
			else expect(recordsExpected).toBe(expected);
			expect(list.hint).toBe(hint);
		},
	);
});
