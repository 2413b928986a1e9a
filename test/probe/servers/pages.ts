import { headers, type Prepare } from './edits';
import { SUBSCRIBERS, type Server } from './server';

const fromZero: Prepare = ({ sandbox, runtime }) => ({
	sandbox,
	runtime: {
		...runtime,
		fetch: async (input, init) => {
			const url = new URL(String(input));
			const page = url.searchParams.get('page');
			if (page !== null) url.searchParams.set('page', String(Number(page) + 1));
			return await runtime.fetch(url, init);
		},
	},
});

/** Servers whose pages differ. */
export const pages: Server[] = [
	{
		name: 'pages are counted from 0',
		prepare: fromZero,
		seen: {
			paging: 'pages are counted from 0',
			'page-headers': '? pages are counted from 0',
		},
	},
	{
		name: 'pages are counted from 0, and X-Total counts the page',
		prepare: fromZero,
		edit: headers(SUBSCRIBERS, (own) => own.has('x-total') && own.set('x-total', '2')),
		seen: {
			paging: 'pages are counted from 0',
			'page-headers': '? pages are counted from 0',
			total: 'records after the last page',
		},
	},
	{
		name: 'X-Total counts the page',
		edit: headers(SUBSCRIBERS, (own) => own.has('x-total') && own.set('x-total', '2')),
		seen: { total: 'records after the last page' },
	},
	{
		name: 'X-Total counts people who are not listed',
		edit: headers(SUBSCRIBERS, (own) => own.has('x-total') && own.set('x-total', '37')),
		seen: { total: 'fewer records' },
	},
	{
		name: 'X-Page is always 1',
		edit: headers(SUBSCRIBERS, (own) => own.has('x-page') && own.set('x-page', '1')),
		seen: { 'page-headers': '1 and 2' },
	},
	{
		name: 'X-Per-Page is the largest size',
		edit: headers(SUBSCRIBERS, (own) => own.has('x-per-page') && own.set('x-per-page', '100')),
		seen: { 'page-headers': '2 and 100' },
	},
];
