import fc from 'fast-check';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isDeepStrictEqual } from 'node:util';

import type { SupercastClient } from '../../../nodes/Supercast/api/client';
import { Channel } from '../../../nodes/Supercast/api/sharedChannel';
import { runtime } from '../../../nodes/Supercast/api/clock';
import { InputError } from '../../../nodes/Supercast/api/errors/errors';
import type { ApiRequest } from '../../../nodes/Supercast/api/types';
import { recordKind } from '../../../nodes/Supercast/operations/kinds';
import { type ListOptions, readList } from '../../../nodes/Supercast/operations/lists';
import { hiddenCharacter, isEmail, requireEmail } from '../../../nodes/Supercast/operations/texts';
import { operations, sentBy, validFor } from '../../support/oddRuns';
import {
	BLANK,
	expectation,
	type Expectation,
	oddKindOf,
	ODD,
	SWITCHES,
} from '../../support/oddValues';

/**
 * Every parameter of every operation against values that expressions return by accident. A value is
 * refused before any request, or sent as a person would expect, as `expectation` says.
 */
describe('odd values', () => {
	const ofType = (type: INodeProperties['type'], wanted: (property: INodeProperties) => boolean) =>
		operations.flatMap(([label, operation]) =>
			operation.properties
				.filter((property) => property.type === type && wanted(property))
				.map((property) => [label, property, operation] as const),
		);
	const fieldsOf = (property: INodeProperties): INodeProperties[] =>
		(property.options as INodeProperties[]).filter(({ name }) => name !== 'clearFields');
	const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	const sentBody = (requests: ApiRequest[]): IDataObject => {
		const { body = {} } = requests.find(({ method }) => method === 'POST' || method === 'PATCH')!;
		const [fields = {}] = Object.values(body);
		// What Supercast receives. JSON would turn NaN into null.
		return JSON.parse(JSON.stringify(fields)) as IDataObject;
	};
	const yesOrNo = (key: string, value: unknown) =>
		key === 'explicit' && typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;

	/**
	 * Tries all values. `happened` says if a value was refused, left out, or sent. Returns the values
	 * for which `expected` says something else.
	 */
	async function surprises(
		expected: (odd: string, value: unknown) => Expectation | 'understood',
		happened: (value: unknown) => Promise<Expectation | 'understood'>,
	): Promise<unknown[]> {
		const found: unknown[] = [];
		for (const [odd, value] of ODD) {
			const [wanted, got] = [expected(odd, value), await happened(value)];
			if (!isDeepStrictEqual(wanted, got)) found.push({ odd, wanted, got });
		}
		return found;
	}

	const understood = (result: unknown) => (result instanceof InputError ? 'refused' : 'understood');
	const isSent = (expected: Expectation) => typeof expected === 'object';

	const collections = ofType('collection', ({ name }) => /Fields$/.test(name)).flatMap(
		([label, collection, operation]) =>
			fieldsOf(collection).map(
				(field) => [label, field.name, field, collection.name, operation] as const,
			),
	);

	describe.each(collections)('%s, the field %s', (label, name, field, collection, operation) => {
		const kind = oddKindOf(field);
		const key = snake(name);
		// What does not say who a subscriber is must not keep anyone from getting access.
		const isLeftOut = label.startsWith('subscriber') && !['email', 'id'].includes(kind);
		const asSent = (expected: Expectation): Expectation => {
			if (expected === 'refused' && isLeftOut) return 'blank';
			return isSent(expected) ? { sent: yesOrNo(key, expected.sent) } : expected;
		};

		it('is refused, or sent as expected', async () => {
			const isOther = name === 'otherFields';
			const isUpdate = collection === 'updateFields';
			expect(
				await surprises(
					(odd, value) => {
						const expected = expectation(kind, odd, value);
						// An update with nothing to change is refused.
						const isNothing = asSent(expected) === 'blank';
						return isNothing && isOther && isUpdate ? 'refused' : asSent(expected);
					},
					async (value) => {
						const base = isOther ? {} : { otherFields: '{"other":1}' };
						const values = { ...validFor(operation), [collection]: { ...base, [name]: value } };
						const result = await sentBy(operation, values);
						if (result instanceof InputError) return 'refused';
						const body = sentBody(result);
						if (isOther) return 'a' in body ? { sent: { a: body.a } } : 'blank';
						return key in body ? { sent: body[key] } : 'blank';
					},
				),
			).toEqual([]);
		});

		// Supercast may have other names for time zones, which Other Fields sends as they are.
		if (name === 'otherFields' || kind === 'zone') return;
		it('is treated alike in Other Fields, where null erases it', async () => {
			const expected = (odd: string, value: unknown): Expectation => {
				if (value === undefined) return 'blank';
				if (value === null && kind !== 'email') return { sent: null };
				const wanted = expectation(kind, odd, value);
				return asSent(wanted === 'blank' ? 'refused' : wanted);
			};
			expect(
				await surprises(expected, async (value) => {
					const otherFields = { other: 1, [key]: value };
					const values = { ...validFor(operation), [collection]: { otherFields } };
					const result = await sentBy(operation, values);
					if (result instanceof InputError) return 'refused';
					const body = sentBody(result);
					return key in body ? { sent: body[key] } : 'blank';
				}),
			).toEqual([]);
		});
	});

	/** What decides about a person's access: words that only the node reads. What it cannot read is unclear. */
	const JUDGED = ['status', 'openFor', 'keepFor', 'closeFor'];

	const required = operations.flatMap(([label, operation]) =>
		operation.properties
			.filter(({ type, name }) => type === 'string' && !['customerId', ...JUDGED].includes(name))
			.map((property) => [label, property.name, property, operation] as const),
	);

	it.each(required)('%s, the parameter %s', async (_, name, property, operation) => {
		expect(
			await surprises(
				(odd, value) => {
					const expected = expectation(oddKindOf(property), odd, value);
					return expected === 'blank' ? 'refused' : expected;
				},
				async (value) => {
					const values = { ...validFor(operation), [name]: value };
					const result = await sentBy(operation, values as IDataObject);
					return result instanceof InputError ? 'refused' : { sent: sentBody(result)[name] };
				},
			),
		).toEqual([]);
	});

	it.each(ofType('string', ({ name }) => JUDGED.includes(name)))(
		'%s, the parameter $name is never sent, and stops nothing',
		async (_, { name }, operation) => {
			const sent = await sentBy(operation, validFor(operation));
			expect(sent).not.toBeInstanceOf(InputError);
			for (const [odd, value] of ODD) {
				const values = { ...validFor(operation), [name]: value } as IDataObject;
				expect([odd, await sentBy(operation, values)]).toEqual([odd, sent]);
			}
		},
	);

	const locators = ofType('resourceLocator', () => true).flatMap(([label, property, operation]) =>
		property.modes!.map((mode) => [label, mode.name, property, operation] as const),
	);

	it.each(locators)('%s, the record by %s', async (_, mode, property, operation) => {
		const isPerson = property.modes!.some(({ name }) => name === 'email');
		expect(
			await surprises(
				(odd, value) => {
					const isEmail = String(value).includes('@') && isPerson && mode !== 'customerId';
					const isChosen = mode === 'list' && odd === 'an email';
					if (isEmail && mode !== 'email' && !isChosen) return 'refused';
					const isName = mode !== 'email' && mode !== 'customerId';
					if (isName && /[/\\?#]/.test(String(value))) return 'refused';
					const expected = expectation(mode === 'email' ? 'email' : 'id', odd, value);
					if (expected === 'blank') return 'refused';
					return isSent(expected) && mode === 'customerId' ? 'understood' : expected;
				},
				async (value) => {
					const values = { ...validFor(operation), [property.name]: { mode, value } };
					const result = await sentBy(operation, values).catch((error: unknown) => {
						// The list has no record with this ID.
						if (mode === 'customerId') return 'understood' as const;
						throw error;
					});
					if (result === 'understood') return result;
					return result instanceof InputError ? 'refused' : { sent: result[0]!.path[1] };
				},
			),
		).toEqual([]);
	});

	describe.each(ofType('boolean', ({ name }) => name === 'returnAll'))('%s', (_, __, operation) => {
		const isDefault = (value: unknown) => value === undefined || value === null;

		it.each([
			['returnAll', (odd: string) => odd in SWITCHES || odd in BLANK],
			['limit', (odd: string) => ['a fraction', 'a text of digits'].includes(odd)],
		])('the parameter %s', async (name, isKnown) => {
			expect(
				await surprises(
					(odd, value) => (isDefault(value) || isKnown(odd) ? 'understood' : 'refused'),
					async (value) => {
						const own = isDefault(value) ? {} : { [name]: value };
						const values = { ...validFor(operation), ...own };
						return understood(await sentBy(operation, values));
					},
				),
			).toEqual([]);
		});
	});

	const inCollection = (name: string) =>
		ofType('collection', (property) => property.name === name).flatMap(
			([label, collection, operation]) =>
				(collection.options as INodeProperties[]).map(
					(one) => [label, one.name, one, operation, name] as const,
				),
		);
	const options = operations.flatMap(([label, operation]) =>
		(operation.options ?? []).map((one) => [label, one.name, one, operation, 'options'] as const),
	);

	const JUDGED_OPTIONS = [
		...['accessUntil', 'customerIdPrefix', 'product', 'productNames', 'products', 'otherProducts'],
	];

	it.each([...inCollection('filters'), ...options])(
		'%s, the filter or option %s',
		async (_, name, property, operation, collection) => {
			const isOption = collection === 'options';
			expect(
				await surprises(
					(odd, value) => {
						if (isOption && odd in BLANK && property.type === 'boolean') return 'understood';
						if (isOption && property.type === 'options' && (value ?? null) === null) {
							return 'understood';
						}
						if (JUDGED_OPTIONS.includes(name)) return 'understood';
						const hasNoChoice = !isOption && odd === 'an empty list';
						if (/options/i.test(property.type)) return hasNoChoice ? 'understood' : 'refused';
						return isSent(expectation(oddKindOf(property), odd, value)) ? 'understood' : 'refused';
					},
					async (value) => {
						const values = { ...validFor(operation), [collection]: { [name]: value } };
						return understood(await sentBy(operation, values));
					},
				),
			).toEqual([]);
		},
	);
});

describe('a list', () => {
	const people = recordKind('Person', { isPerson: true });
	const alerts = recordKind('Alert');

	type Answer = { body: unknown[]; headers: IDataObject };

	/** A list in pages of at most `cap` entries. `change` replaces single responses. */
	function clientOf(
		list: unknown[],
		{ cap = 100, change = (_: number, answer: Answer): Partial<Answer> => answer } = {},
	): { client: SupercastClient; asked: Array<[number, number]> } {
		const asked: Array<[number, number]> = [];
		const client: SupercastClient = {
			channel: new Channel(runtime),
			request: async ({ query = {} }) => {
				const [page, size] = [Number(query.page), Number(query.per_page)];
				asked.push([page, size]);
				const perPage = Math.min(cap, size);
				const body = list.slice((page - 1) * perPage, page * perPage);
				const headers = { 'x-per-page': `${perPage}`, 'x-total': `${list.length}` };
				return { status: 200, headers, body, ...change(asked.length, { body, headers }) };
			},
		};
		return { client, asked };
	}

	const rows = (count: number): IDataObject[] => Array.from({ length: count }, (_, id) => ({ id }));
	const all: ListOptions<IDataObject> = {};

	it('returns exactly the limit, and requests no page beyond it', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 12 }),
				fc.nat({ max: 60 }),
				fc.integer({ min: 1, max: 70 }),
				async (cap, total, limit) => {
					const { client, asked } = clientOf(rows(total), { cap });
					const { taken, read, isShort } = await readList(client, alerts, { ...all, limit });
					expect(taken).toEqual(rows(Math.min(limit, total)));
					expect([read, isShort]).toEqual([taken.length, false]);
					if (limit <= total) expect(asked).toHaveLength(Math.ceil(limit / Math.min(cap, limit)));
				},
			),
		);
	});

	it.each([
		[Infinity, 100],
		[250, 100],
		[7, 7],
	])('up to a limit of %d requests pages of %d', async (limit, perPage) => {
		const { client, asked } = clientOf([]);
		await readList(client, alerts, { ...all, limit });
		expect(asked).toEqual([[1, perPage]]);
	});

	it('stops reading once enough records match, and requests no page early', async () => {
		const { client, asked } = clientOf(rows(500));
		const isEven = (record: IDataObject) => (Number(record.id) % 2 === 0 ? record : undefined);
		const reading = await readList(client, alerts, { take: isEven, limit: 60 });
		expect(reading.taken).toHaveLength(60);
		expect(reading).toMatchObject({ read: 119, total: 500, isShort: false });
		expect(asked.map(([page]) => page)).toEqual([1, 2]);
	});

	describe('a list that ends before its total', () => {
		it('is read again, and is complete if the gap was temporary', async () => {
			const { client, asked } = clientOf(rows(250), {
				change: (request, answer) => (request === 2 ? { ...answer, body: [] } : answer),
			});
			const reading = await readList(client, alerts, all);
			expect(reading).toMatchObject({ read: 250, total: 250, isShort: false, isComplete: true });
			expect(asked.map(([page]) => page).filter((page) => page === 1)).toHaveLength(2);
		});

		it.each([
			['empty', 0],
			['short', 40],
		])('is called short after three fetches, if page 2 is always %s', async (_, kept) => {
			const list = rows(250);
			const { client, asked } = clientOf(list, {
				change: (__, { body, headers }) => ({
					headers,
					body: body[0] === list[100] ? body.slice(0, kept) : body,
				}),
			});
			const reading = await readList(client, alerts, all);
			expect(reading).toMatchObject({ total: 250, isShort: true, isComplete: false });
			expect(reading.read).toBeLessThan(250);
			expect(asked.filter(([page]) => page === 1)).toHaveLength(3);
		});

		it('is complete without a total, as nothing else is known', async () => {
			const { client } = clientOf(rows(150), { change: (_, { body }) => ({ headers: {}, body }) });
			const reading = await readList(client, alerts, all);
			expect(reading).toMatchObject({ read: 150, total: undefined, isComplete: true });
		});

		it('proves nothing if its total is lower than what was read', async () => {
			const { client } = clientOf(rows(250), {
				change: (_, { body }) => ({ headers: { 'x-total': '0' }, body }),
			});
			const reading = await readList(client, alerts, all);
			expect(reading).toMatchObject({ read: 250, isShort: false, isComplete: false });
		});
	});

	describe('what identifies a record', () => {
		const taken = async (kind: typeof alerts, list: IDataObject[]) =>
			(await readList(clientOf(list, { cap: 2 }).client, kind, all)).taken;

		it('is not the uuid of another record that it carries', async () => {
			const list = [1, 2, 3].map((id) => ({ id, uuid: 'u-1' }));
			expect(await taken(alerts, list)).toEqual(list);
		});

		it('is not an ID that equals the uuid of another record', async () => {
			const list = [{ uuid: 'x' }, { id: 'x' }, { uuid: 'y', id: 'x' }, { email: 'x' }];
			expect(await taken(people, list)).toEqual(list);
		});

		it('is its place in the list, if it has no ID', async () => {
			const list = [{ uuid: 'u-1', note: 'a' }, { uuid: 'u-1', note: 'a' }, { note: 'b' }];
			expect(await taken(alerts, list)).toEqual(list);
		});

		it('is the uuid of a person, who may change meanwhile', async () => {
			const list = [
				{ uuid: 'u-1', id: 1 },
				{ uuid: '', id: 2 },
				{ uuid: 'u-1', id: 3 },
			];
			expect(await taken(people, list)).toEqual(list.slice(0, 2));
		});
	});
});

describe('an email address', () => {
	const COMPOSED = 'ren\u00e9@example.com';
	const DECOMPOSED = 'rene\u0301@example.com';

	function refusal(typed: unknown): string {
		try {
			return `accepted ${requireEmail(typed, 'Email')}`;
		} catch (error) {
			const { message, description } = error as Error & { description: string };
			return `${message} | ${description}`;
		}
	}

	it.each([
		'ann@example.com',
		"o'brien+podcast@sub.example.co.uk",
		'a/b+c%2F?x=#@example.com',
		'Ann_Smith@EXAMPLE.com',
		'\u00fcmlaut@b\u00fccher.example',
		'ann@xn--bcher-kva.example',
		'ann..b@example.com',
	])('%s is accepted', (email) => {
		expect(requireEmail(` ${email}\n`, 'Email')).toBe(email);
	});

	it('is sent in the composed form', () => {
		expect(requireEmail(DECOMPOSED, 'Email')).toBe(COMPOSED);
	});

	it.each([
		['\u200b', 'zero-width space (U+200B)'],
		['\u0000', 'null character (U+0000)'],
		['\u00ad', 'soft hyphen (U+00AD)'],
		['\u00a0', 'no-break space (U+00A0)'],
		['\n', 'line break (U+000A)'],
		['\u2028', 'invisible character (U+2028)'],
		['\u3164', 'invisible character (U+3164)'],
		['\ud800', 'invisible character (U+D800)'],
		['\ufe0f', 'invisible character (U+FE0F)'],
		['\u202e', 'invisible character (U+202E)'],
	])('with %j inside is refused, and the message names the character', (character, name) => {
		expect(refusal(`ann${character}@example.com`)).toBe(
			`'Email' contains an invisible character: ${name} | Enter only the address: ann@example.com`,
		);
		expect(isEmail(`ann${character}@example.com`)).toBe(false);
	});

	it.each([
		'Ann <ann@example.com>',
		'"Smith, Ann" <ann@example.com>',
		'<ann@example.com>',
		'mailto:ann@example.com',
		'MAILTO:ann@example.com?subject=Hello',
		'Ann <mailto:ann@example.com>',
		'ann@example.com,',
		'ann@example.com;',
		'ann@example.com.',
		'"ann@example.com"',
		"'ann@example.com'",
	])('%s is refused, with the address to use', (typed) => {
		expect(refusal(typed)).toBe(
			`'Email' is not an email address: "${typed}" | Enter only the address: ann@example.com`,
		);
	});

	it.each([
		'ann',
		'ann@',
		'@example.com',
		'ann@example',
		'ann smith@example.com',
		'ann@example.com, bob@example.com',
		'ann@example.com bob@example.com',
		'ann@@example.com',
		'ann@example..com',
		'ann@example.com/x',
		'<>',
	])('%s is refused', (typed) => {
		expect(refusal(typed)).toBe(
			`'Email' is not an email address: "${typed}" | Enter it in the form name@example.com.`,
		);
	});

	it.each([undefined, null, '', '   '])('%j is called empty', (typed) => {
		expect(refusal(typed)).toContain("'Email' is empty | Enter an email address.");
	});

	it.each([{}, { email: 'ann@example.com' }, ['ann@example.com'], 42, NaN, true, new Date(0)])(
		'%p is refused',
		(typed) => {
			expect(refusal(typed)).toMatch(/^'Email' is not an email address: ".+" \|/);
		},
	);
});

it('a text that everyone can see hides nothing', () => {
	expect(hiddenCharacter('cus_9s6X-\u00e9\u{1f600}')).toBeUndefined();
	expect(hiddenCharacter('cus\u2060_9')).toBe('word joiner (U+2060)');
});
