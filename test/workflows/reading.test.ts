import type { IDataObject } from 'n8n-workflow';

import { theList, whoIs } from './records';
import { resolved } from './resolve';

interface Read {
	records: IDataObject[];
	list: IDataObject;
	/** How many records Sync is told that there are. */
	expected: unknown;
}

/** What Sync receives after pages of one or two systems. */
function read(file: string, ran: Record<string, IDataObject[]>, pages: IDataObject[]): Read {
	const records = whoIs(file, pages, { ran });
	const list = theList(file, pages, { ran });
	const { recordsExpected } = resolved(file, 'Sync', 'options', {
		...{ input: records[0] ?? {}, ran: { ...ran, 'The List': [list] } },
	}) as { recordsExpected: unknown };
	return { records, list, expected: recordsExpected };
}

const subscriptions = (count: number, from = 0) =>
	Array.from({ length: count }, (_, at) => ({
		...{ id: `sub_${from + at}`, status: 'active', customer: { id: `cus_${from + at}` } },
		items: { data: [{ price: { product: 'prod_A' } }] },
	}));

const patrons = (count: number) =>
	Array.from({ length: count }, (_, at) => ({
		...{ id: `m-${at}`, attributes: { patron_status: 'active_patron' } },
		relationships: { currently_entitled_tiers: { data: [] }, user: { data: { id: `${at}` } } },
	}));

const stripe = (...pages: IDataObject[]) =>
	read('stripe.json', { 'Read All Subscriptions': pages }, pages);
const both = (stripePages: IDataObject[], patreonPages: IDataObject[]) =>
	read(
		'stripe-and-patreon.json',
		{
			'Read Stripe': stripePages,
			'Read Patreon': patreonPages,
			'Read My Campaign': [{ included: [] }],
		},
		[...stripePages, ...patreonPages],
	);

describe('Stripe, which only says whether more follow', () => {
	const full = { data: subscriptions(100), has_more: true };

	it('is whole if the last page says so', () => {
		const { records, expected } = stripe(full, { data: subscriptions(7, 100), has_more: false });
		expect([records.length, expected]).toEqual([107, 107]);
	});

	it.each([
		['the last page is empty', { data: [], has_more: false }],
		['an empty page says that more follow', { data: [], has_more: true }],
		['n8n has stopped at a full page', { data: subscriptions(100, 100), has_more: true }],
		['the last page is a web page', { data: '<html>' }],
		['the last page is no list', {}],
	])('is incomplete if %s, in both files', (_, last) => {
		for (const { records, expected } of [
			stripe(full, last),
			both([full, last], [{ data: patrons(5), meta: { pagination: { total: 5 } } }]),
		]) {
			const different = new Set(records.map(({ recordId }) => recordId).filter((id) => id !== ''));
			expect(Number(expected)).toBeGreaterThan(different.size);
		}
	});

	it('names the limit if it has read 1,000 pages', () => {
		const pages = Array.from({ length: 1000 }, () => ({
			data: [] as IDataObject[],
			has_more: true,
		}));
		pages[0]!.data = subscriptions(1);
		expect(stripe(...pages).list.hint).toBe(
			'The limit of 1,000 pages is reached. Raise Max Pages in Read All Subscriptions.',
		);
	});

	it('names all products to choose from, also those that are no longer sold', () => {
		const pages = [{ data: subscriptions(1), has_more: false }];
		const product = (id: string, name: string, active: boolean) => ({ id, name, active });
		const { choices } = theList('stripe.json', pages, {
			ran: {
				'Read All Subscriptions': pages,
				'Read the Products': [
					{ data: [product('prod_A', 'Podcast', true)] },
					{ data: [product('podcast-founders', 'Founding members', false)] },
				],
			},
		});
		expect(choices).toBe(
			'Products at Stripe: Podcast (prod_A), Founding members (podcast-founders)',
		);
	});
});

describe('two systems', () => {
	const patreon = { data: patrons(5), meta: { pagination: { total: 6 } } };

	it('adds up what both say', () => {
		const { records, expected } = both([{ data: subscriptions(3), has_more: false }], [patreon]);
		expect([records.length, expected]).toEqual([8, 9]);
		expect(records.map(({ customerId }) => customerId)).toEqual([
			...[
				'cus_0',
				'cus_1',
				'cus_2',
				'patreon-0',
				'patreon-1',
				'patreon-2',
				'patreon-3',
				'patreon-4',
			],
		]);
		expect(new Set(records.map(({ access }) => access))).toEqual(new Set(['open']));
	});

	const none = { data: [] as IDataObject[], has_more: false };

	it('is complete if one system has no records, because Sync tells which part is missing', () => {
		const all = { data: patrons(5), meta: { pagination: { total: 5 } } };
		const nobody = { data: [] as IDataObject[], meta: { pagination: { total: 0 } } };
		for (const [pages, of] of [
			[both([none], [all]), 5],
			[both([{ data: subscriptions(3), has_more: false }], [nobody]), 3],
		] as const) {
			expect([pages.records.length, pages.expected]).toEqual([of, of]);
			expect(pages.records.filter(({ customerId }) => !customerId)).toEqual([]);
		}
	});

	it('names the tiers and the products to choose from', () => {
		const pages = [{ data: patrons(1), meta: { pagination: { total: 1 } } }];
		const included = [{ id: '501', attributes: { title: 'Gold' } }];
		const ran = { 'Read Patreon': pages, 'Read My Campaign': [{ included }] };
		const { choices } = theList('stripe-and-patreon.json', pages, { ran });
		expect(String(choices).trim()).toBe('Tiers at Patreon: Gold (501)');
	});

	it('is not a number if one of them says nothing, so that Sync refuses it', () => {
		const silent = { data: patrons(5), meta: {} };
		const { expected } = both([{ data: subscriptions(3), has_more: false }], [silent]);
		expect(Number(expected)).toBeNaN();
	});

	it('expects nothing of a system that is switched off', () => {
		const pages = [{ data: subscriptions(3), has_more: false }];
		const { expected } = read('stripe-and-patreon.json', { 'Read Stripe': pages }, pages);
		expect(expected).toBe(3);
	});
});
