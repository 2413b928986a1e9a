import type { IDataObject } from 'n8n-workflow';

import { shareOf } from '../../support/deep';
import { imported, listen, live, mockServers, openFeeds, set, useMembers } from './support';

/** Words as systems and people have them, each in the file of a list and in a call. */
const WORDS = [
	...['membership.went_valid', 'Supporter $4.99', 'Level 2.0', 'gekünd.', 'product.mug.club'],
	...['Ünïcode ÄÖÜ', '[2025]', '{{ 6 * 7 }}', "it's", '"quoted"', 'a|b', '.*', '__proto__'],
	...['constructor', 'true', '0', 'Gold, with a comma', `${'long '.repeat(60)}end`],
];

useMembers();

/** What the three lists give to a record with this word. */
const LISTS = [
	['openFor', { old: true, new: true }],
	['keepFor', { old: true, new: false }],
	['closeFor', { old: false, new: false }],
	[undefined, { old: true, new: false }],
] as const;
const empty = { openFor: 'something else', keepFor: '', closeFor: '' };

describe.each(WORDS)('the word %s', (word) => {
	// A person may type it with other capital letters.
	const typed = (list: string | undefined) => ({
		...empty,
		...(list !== undefined && { [list]: `another word\n ${word.toUpperCase()} ` }),
	});

	it.each(shareOf(LISTS, WORDS.indexOf(word), LISTS.length))(
		'means the same in Sync and in Set Access: %s',
		async (list, expected) => {
			const rows = ['old@example.com', 'new@example.com'].map((email) => ({ email, status: word }));
			listen('old@example.com', 'list-old@example.com');
			await syncRows([...rows, { email: 'x@example.com', status: 'another word' }], typed(list));
			const open = openFeeds();
			const seen = { old: open.includes('old@example.com'), new: open.includes('new@example.com') };
			expect(seen).toEqual(expected);

			const member = { email: 'old@example.org', customerId: '1' };
			await imported('any-system.json').call({ access: 'open', ...member });
			const called = imported('any-system.json', set('Set Access', typed(list)));
			await called.call({ access: word, ...member });
			await called.call({ access: word, email: 'new@example.org', customerId: '2' });
			const after = openFeeds();
			expect({
				old: after.includes('old@example.org'),
				new: after.includes('new@example.org'),
			}).toEqual(expected);
		},
	);
});

describe('products', () => {
	const ID = 'podcast.club';

	it.each([
		['Supporter $4.99', 'Supporter $4.99', 'open'],
		['Mug, blue [2025]', 'Supporter $4.99', 'unclear'],
		['Mug, blue [2025]', '(other)', 'open'],
	])('%s, where %s counts', async (product, products, access) => {
		const { stripe } = mockServers();
		stripe.products.push({ id: ID, name: product, active: true });
		stripe.join('ana@example.com', 'Ana', ID);
		await imported('stripe.json', live, set('Sync', {}, { products })).run();
		expect(openFeeds()).toEqual(access === 'open' ? ['ana@example.com'] : []);
		stripe.products.pop();
	});
});

/** Runs the file for a list with these rows. */
async function syncRows(rows: IDataObject[], words: object): Promise<void> {
	const cells = (row: IDataObject) => `${row.email as string}\u0001${row.status as string}`;
	mockServers().list.text = ['email\u0001status', ...rows.map(cells)].join('\n');
	const id = set('Sync', { customerId: '=list-{{ $json.email }}', ...words });
	await imported(
		'any-list.json',
		live,
		id,
		set('Read the Rows', {}, { delimiter: '\u0001' }),
	).run();
}
