import {
	judge,
	type JudgeRules,
	type RecordClaims,
} from '../../../nodes/Supercast/access/judge/judge';
import {
	readProductNames,
	readProducts,
	type ProductWords,
} from '../../../nodes/Supercast/access/judge/products';
import { WordLists } from '../../../nodes/Supercast/access/judge/words';
import { readWordSettings } from '../../../nodes/Supercast/access/settings';
import { itemWith, NOW, refusalOf } from './records';

const words = (openFor: unknown, keepFor: unknown = '', closeFor: unknown = 'canceled') =>
	new WordLists({ openFor, keepFor, closeFor });

const products = (counts: unknown = '', others: unknown = ''): ProductWords =>
	new WordLists({ products: counts, otherProducts: others });

const RULES: JudgeRules = {
	...{ words: words('active', 'on-hold'), productWords: products() },
	...{ hasStatuses: true, now: NOW, zone: 'UTC' },
};

const judged = (claims: Partial<RecordClaims>, rules: Partial<JudgeRules> = {}) =>
	judge(
		{ access: 'byStatus', status: 'active', products: [], until: '', ...claims },
		{ ...RULES, ...rules },
	);

const access = (...args: Parameters<typeof judged>): string => judged(...args).access;

describe('a status is looked up as the word that it is:', () => {
	it.each([
		['a dot', 'membership.went_invalid'],
		['a price', 'Supporter $4.99'],
		['brackets', 'level[2025]'],
		['an umlaut and a dot', 'gekünd.'],
		['quotation marks', 'the "gold" ones\''],
		['braces, as in an expression', '{{ $json.status }}'],
		['a comma, in a line of its own', 'Gold, yearly'],
		['a pattern', 'a.*(b|c)+$'],
		['a name that objects have', 'constructor'],
		['300 characters', 'long '.repeat(60)],
		['Japanese', '解約済み'],
	])('%s', (_, word) => {
		const lists = { words: words(`active\n${word}`, 'on-hold') };
		expect(access({ status: word }, lists)).toBe('open');
		expect(access({ status: `  ${word.toUpperCase()}\t` }, lists)).toBe('open');
		expect(judged({ status: `${word}x` }, lists)).toEqual({
			access: 'unclear',
			ground: { kind: 'unknownStatus', text: `${word}x` },
		});
	});

	it.each<[unknown, string, string]>([
		[1, '1', 'open'],
		[true, 'TRUE', 'open'],
		[false, 'false', 'open'],
		[0, '0', 'open'],
		['1', '1.0', 'unclear'],
		['cafe\u0301', 'Caf\u00e9', 'open'],
		['active-x', 'active', 'unclear'],
		['acti', 'active', 'unclear'],
		[{ text: 'active' }, 'active', 'unclear'],
		[['active'], 'active', 'unclear'],
	])('%j beside the word %s', (status, word, expected) => {
		expect(access({ status }, { words: words(word, '', '') })).toBe(expected);
	});

	it('each list gives its own access', () => {
		const statuses = ['active', 'on-hold', 'canceled', 'paused'];
		expect(statuses.map((status) => access({ status }))).toEqual([
			...['open', 'keep', 'close', 'unclear'],
		]);
	});
});

describe('words are typed one a line, or with commas', () => {
	it('and spaces, empty lines and empty parts mean nothing', () => {
		const lists = { words: words(' active ,, trialing,\r\n\n  past due \n', '') };
		const statuses = ['active', 'trialing', 'past due'];
		expect(statuses.map((status) => access({ status }, lists))).toEqual(Array(3).fill('open'));
		expect(access({ status: '' }, lists)).toBe('unclear');
	});

	it('a whole line counts before its parts', () => {
		const lists = { words: words('Gold, yearly\nactive', 'yearly fee') };
		expect(access({ status: 'gold, YEARLY' }, lists)).toBe('open');
		expect(access({ status: 'yearly' }, lists)).toBe('open');
	});

	it('an expression may return them as a list', () => {
		const lists = { words: words(['Gold, yearly', 'active'], [7]) };
		expect(access({ status: 'active' }, lists)).toBe('open');
		expect(access({ status: '7' }, lists)).toBe('keep');
	});

	it.each([
		['in capitals', 'Active', 'ACTIVE', 'ACTIVE'],
		['as a part of a line', 'active, trialing', 'x\ntrialing', 'trialing'],
		['as a line', 'a\ntrialing', 'trialing, x', 'trialing'],
		['as a line with commas', 'a, b', 'a, b', 'a, b'],
		['for all others', '(other)', 'x, (OTHER)', '(OTHER)'],
	])('a word in two lists is an error that names it: %s', (_, openFor, closeFor, word) => {
		const item = itemWith({ access: 'byStatus', openFor, closeFor });
		expect(refusalOf(() => readWordSettings(item))).toContain(
			`'Open For' and 'Close For' both have the word "${word}"`,
		);
		const options = { products: openFor, otherProducts: closeFor };
		expect(refusalOf(() => readWordSettings(itemWith({ options })))).toContain(
			`'Products That Count' and 'Other Products' both have the word "${word}"`,
		);
	});

	it('a word twice in one list is none', () => {
		const item = itemWith({ access: 'byStatus', openFor: 'active, x\nActive' });
		expect(refusalOf(() => readWordSettings(item))).toBe('none');
	});

	it('By Status without any word is refused', () => {
		expect(refusalOf(() => readWordSettings(itemWith({ access: ' byStatus' })))).toContain(
			"'Open For', 'Keep For' and 'Close For' are all empty",
		);
	});
});

describe('Access', () => {
	it.each<[unknown, string]>([
		['open', 'open'],
		[' keep ', 'keep'],
		['close', 'close'],
		['Open', 'unclear'],
		['', 'unclear'],
		[undefined, 'unclear'],
		[null, 'unclear'],
		[true, 'unclear'],
		['active', 'unclear'],
		[{ access: 'open' }, 'unclear'],
	])('%j gives %s, whatever the status is', (given, expected) => {
		expect(access({ access: given, status: 'unheard of' })).toBe(expected);
	});

	it('says what it could not read', () => {
		const ground = (given: unknown) => judged({ access: given }).ground;
		expect(ground('#N/A')).toEqual({ kind: 'notAccess', text: '#N/A' });
		expect(ground('')).toEqual({ kind: 'notAccess', text: '' });
		expect(ground({})).toEqual({ kind: 'notAccess', text: 'an object' });
	});
});

describe('the words for what has none', () => {
	const lists = { words: words('active', '(empty)', '(other)') };

	it('(empty) decides about a record without a status, if another record has one', () => {
		for (const status of ['', '  ', undefined, null]) {
			expect(access({ status }, lists)).toBe('keep');
			expect(judged({ status }, { ...lists, hasStatuses: false })).toEqual({
				access: 'unclear',
				ground: { kind: 'noStatus' },
			});
		}
	});

	it('(other) decides about every word that no list has, and about nothing else', () => {
		expect(access({ status: 'unheard of' }, lists)).toBe('close');
		expect(access({ status: '' }, { words: words('(other)') })).toBe('unclear');
	});

	it('without them, such a record is unclear', () => {
		expect(judged({ status: '' })).toEqual({ access: 'unclear', ground: { kind: 'noStatus' } });
	});
});

describe('products', () => {
	const tier = { id: '501', type: 'tier', attributes: { title: 'Club' } };
	const others = [{ id: 'prod_2' }, { id: '502', attributes: { title: null } }, null, 'x'];
	const names = readProductNames([{ id: 'prod_1', name: 'Podcast' }, tier, ...others]);
	const of = (given: unknown) => ({ products: readProducts(given, names) });
	const lists = { productWords: products('Podcast, Club', 'prod_mug\nGift, red') };

	it.each<[string, unknown, string]>([
		['by name', 'podcast', 'open'],
		['by ID, with the name in the list', 'prod_1', 'open'],
		['by ID in capitals', 'PROD_1 ', 'open'],
		['by ID, with the title of a tier of Patreon in the list', 501, 'open'],
		['as an object', { id: 'prod_9', name: 'Club' }, 'open'],
		['as an object with an ID only', { id: 'prod_1' }, 'open'],
		['as an object with a name only', { name: 'CLUB' }, 'open'],
		['one of several', ['prod_mug', { name: 'Club' }], 'open'],
		['another one, by ID', 'prod_mug', 'close'],
		['another one, with a comma', 'gift, red', 'close'],
		['only other ones', ['prod_mug', 'Gift, Red'], 'close'],
		['an unknown one', 'Hat', 'unclear'],
		['an unknown one beside another one', ['prod_mug', 'Hat'], 'unclear'],
		['none', '', 'unclear'],
		['an empty list', [], 'unclear'],
		['an object that says nothing', {}, 'unclear'],
	])('%s', (_, given, expected) => {
		expect(access(of(given), lists)).toBe(expected);
	});

	it('without its name, a product counts only if a list has its ID: names may be unreadable', () => {
		const nameless = { products: readProducts('prod_9', readProductNames(undefined)) };
		const given = (counts: string, others: string) =>
			access(nameless, { productWords: products(counts, others) });
		expect(given('', '')).toBe('open');
		expect(given('prod_9', 'Mug')).toBe('open');
		expect(given('Podcast', 'PROD_9')).toBe('close');
		expect(given('', 'Mug')).toBe('unclear');
		expect(given('Podcast', '(other)')).toBe('unclear');
		expect(given('(other)', 'Mug')).toBe('unclear');
		const one = judged(nameless, { productWords: products('', 'Mug') });
		expect(one.ground).toEqual({ kind: 'unnamedProduct', product: 'prod_9' });
	});

	it('without Products That Count, every product counts that is not in Other Products', () => {
		const others = { productWords: products('', 'Mug') };
		const named = (given: unknown) => ({ products: readProducts(given) });
		expect(access(named('Hat'), others)).toBe('open');
		expect(access(named(''), others)).toBe('open');
		expect(access(named(['Hat', 'mug']), others)).toBe('open');
		expect(access(named('mug'), others)).toBe('close');
	});

	it('(empty) and (other) decide about those without a product, and about all others', () => {
		const open = { productWords: products('Podcast, (empty), (other)', 'Mug') };
		const hat = { id: 'prod_8', name: 'Hat' };
		expect(['', hat, 'Mug'].map((one) => access(of(one), open))).toEqual(['open', 'open', 'close']);
		const close = { productWords: products('Podcast', '(empty), (other)') };
		expect(['', hat, 'Podcast'].map((one) => access(of(one), close))).toEqual([
			...['close', 'close', 'open'],
		]);
	});

	it('another product ends the access with any of the four, before everything else', () => {
		for (const given of ['open', 'keep', 'close', 'byStatus', 'nonsense']) {
			expect(
				judged({ access: given, status: 'x', until: 'soon', ...of('prod_mug') }, lists),
			).toEqual({
				access: 'close',
				ground: { kind: 'otherProduct', product: 'prod_mug' },
			});
		}
	});

	it('a record that gives no access by its status is not unclear', () => {
		expect(access({ status: 'canceled', ...of('Hat') }, lists)).toBe('close');
		expect(access({ access: 'close', ...of('') }, lists)).toBe('close');
	});

	it('the ground names the product as a person knows it', () => {
		const ground = (given: unknown) => judged(of(given), lists).ground;
		expect(ground({ id: 'prod_8', name: 'Hat' })).toEqual({
			kind: 'unknownProduct',
			product: 'Hat',
		});
		expect(ground('prod_8')).toEqual({ kind: 'unnamedProduct', product: 'prod_8' });
		expect(ground('')).toEqual({ kind: 'noProduct' });
		expect(ground(['Gift, red', 'prod_mug'])).toMatchObject({ product: 'Gift, red, prod_mug' });
	});
});
