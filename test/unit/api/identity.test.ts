import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { openChannel } from '../../../nodes/Supercast/api/sharedChannel';
import type { SupercastClient } from '../../../nodes/Supercast/api/client';
import { runtime } from '../../../nodes/Supercast/api/clock';
import { describeFailure } from '../../../nodes/Supercast/api/errors/errors';
import { emailsOf, isSameIdentifier, identifierKey } from '../../../nodes/Supercast/api/identity';
import { CustomerIdIndex } from '../../../nodes/Supercast/api/ledger/customerIdIndex';
import type { ApiRequest } from '../../../nodes/Supercast/api/types';
import { holdersOf } from '../../../nodes/Supercast/subscriber/findPerson';
import { readSubscribers } from '../../../nodes/Supercast/subscriber/listing';
import { runs } from '../../support/deep';
import { MemoryChannel as Channel } from '../../support/memoryChannel';

describe('identity', () => {
	const COMPOSED = 'ren\u00e9@example.com';
	const DECOMPOSED = 'rene\u0301@example.com';

	describe('two names are the same', () => {
		it.each([
			[COMPOSED, DECOMPOSED],
			['Ann@Example.com', ' ann@example.COM '],
			['ann@b\u00fccher.example', 'ann@xn--bcher-kva.example'],
			['ann@BU\u0308CHER.example', 'ann@xn--bcher-kva.example'],
			[42, '42'],
			['2F6C', '2f6c'],
		])('%s and %s', (one, other) => {
			expect(isSameIdentifier(one, other)).toBe(true);
			expect(identifierKey(one)).toBe(identifierKey(other));
		});

		it.each([
			['ann@example.com', 'anna@example.com'],
			['rene@example.com', COMPOSED],
			['', ''],
			[undefined, undefined],
			[{}, {}],
			['b\u00fccher', 'xn--bcher-kva'],
		])('but not %s and %s', (one, other) => {
			expect(isSameIdentifier(one, other)).toBe(false);
		});
	});

	it('the emails of an alert are those of its subscriber', () => {
		expect(emailsOf({ email: ' ann@example.com ' })).toEqual(['ann@example.com']);
		expect(
			emailsOf({ subscriber_email: 'b@example.com', subscriber: { email: 'c@example.com' } }),
		).toEqual(['b@example.com', 'c@example.com']);
		expect(emailsOf({ subscriber: 'ann@example.com', email: null })).toEqual([]);
	});
});

const MINUTE = 60_000;

describe('the index of customer IDs, case by case', () => {
	const namesOf = async (client: SupercastClient, id: string): Promise<string[]> =>
		(await holdersOf(client, id)).map(({ name }) => name).sort();

	const changeId = (uuid: string, customerId: string): ApiRequest => ({
		method: 'PATCH',
		path: ['subscribers', uuid],
		body: { subscriber: { customer_id: customerId } },
		subject: { text: 'subscriber', isRecord: true },
	});

	describe('the index of customer IDs', () => {
		it('is filled by one fetch, for all executions that ask at the same time', async () => {
			const channel = new Channel(1_999);
			const asked = Array.from({ length: 240 }, async (_, number) => {
				const client = channel.client();
				return await namesOf(client, number % 2 === 0 ? `c${number}` : `new ${number}`);
			});
			const found = await Promise.all(asked);
			expect(found[2]).toEqual(['u2']);
			expect(found[3]).toEqual([]);
			expect(channel.pages).toBe(20);
		});

		it('is filled by a fetch of the list for another purpose', async () => {
			const channel = new Channel(299);
			const take = ({ uuid, email, customer_id }: IDataObject) => ({
				emailKey: String(email),
				...{ uuid: String(uuid), email: String(email), customerId: String(customer_id) },
			});
			await readSubscribers(channel.client(), take);
			expect(await namesOf(channel.client(), 'new')).toEqual([]);
			expect(channel.pages).toBe(3);
		});

		it('knows what this process writes, without another fetch', async () => {
			const channel = new Channel(299);
			const client = channel.client();
			expect(await namesOf(client, 'new')).toEqual([]);
			await client.request(changeId('u7', 'new'));
			channel.time = 4 * MINUTE;
			expect(await namesOf(channel.client(), 'new')).toEqual(['u7']);
			expect(await namesOf(channel.client(), 'c7')).toEqual([]);
			expect(channel.pages).toBe(3);
		});

		it('knows what this process writes while the list is read', async () => {
			const channel = new Channel(299);
			channel.onPage = async (page) => {
				// The list has already shown this person, with the old ID.
				if (page === 3) await channel.client().request(changeId('u7', 'new'));
			};
			expect(await namesOf(channel.client(), 'c1')).toEqual(['u1']);
			expect(await namesOf(channel.client(), 'new')).toEqual(['u7']);
			expect(channel.pages).toBe(3);
		});

		it('does not name someone who has lost the ID since, and finds who has it now', async () => {
			const channel = new Channel(299);
			await namesOf(channel.client(), 'c1');
			channel.people.get('u7')!.customer_id = 'other';
			channel.people.get('u8')!.customer_id = 'c7';
			expect(await namesOf(channel.client(), 'c7')).toEqual(['u8']);
			channel.people.delete('u9');
			expect(await namesOf(channel.client(), 'c9')).toEqual([]);
			expect(channel.pages).toBe(9);
		});

		it('asks again about someone whom this process has deleted, but does not read the list', async () => {
			const channel = new Channel(299);
			const client = channel.client();
			await namesOf(client, 'c1');
			await client.request({ ...changeId('u7', ''), method: 'DELETE', body: undefined });
			expect(await namesOf(client, 'c7')).toEqual([]);
			expect(await namesOf(channel.client(), 'c7')).toEqual([]);
			expect(channel.pages).toBe(3);
		});

		it.each([
			[299, 6],
			[9_999, 10],
		])(
			'of %d subscribers believes for %d minutes that nobody has an ID',
			async (count, minutes) => {
				const channel = new Channel(count);
				expect(await namesOf(channel.client(), 'new')).toEqual([]);
				channel.people.get('u7')!.customer_id = 'new';
				channel.time = minutes * MINUTE - 1;
				expect(await namesOf(channel.client(), 'new')).toEqual([]);
				channel.time = minutes * MINUTE;
				expect(await namesOf(channel.client(), 'new')).toEqual(['u7']);
			},
		);

		it('is believed for a minute after a fetch that took longer than it lasts', async () => {
			const channel = new Channel(299);
			channel.onPage = () => {
				channel.time += 4 * MINUTE;
			};
			expect(await namesOf(channel.client(), 'new')).toEqual([]);
			channel.time += MINUTE - 1;
			expect(await namesOf(channel.client(), 'new')).toEqual([]);
			expect(channel.pages).toBe(3);
			channel.time += 1;
			expect(await namesOf(channel.client(), 'new')).toEqual([]);
			expect(channel.pages).toBe(6);
		});

		it('believes no snapshot that is incomplete, except for those who waited for it', async () => {
			const channel = new Channel(299);
			channel.excess = 1;
			const both = [namesOf(channel.client(), 'new'), namesOf(channel.client(), 'c1')] as const;
			await expect(both[0]).rejects.toThrow('could not determine');
			expect(await both[1]).toEqual(['u1']);
			const { pages } = channel;
			channel.excess = 0;
			expect(await namesOf(channel.client(), 'new')).toEqual([]);
			expect(channel.pages).toBe(pages + 3);
		});

		it('reads once for all who wait if the fetch fails, and again for those who ask later', async () => {
			const channel = new Channel(299);
			const failure = new Error('out of order');
			channel.onPage = async () => await Promise.reject(failure);
			const asked = Array.from({ length: 5 }, async () => await namesOf(channel.client(), 'c1'));
			for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected');
			expect(channel.pages).toBe(1);
			channel.onPage = () => undefined;
			expect(await namesOf(channel.client(), 'c1')).toEqual(['u1']);
		});

		it('lets the next execution read if the one that reads is stopped', async () => {
			const channel = new Channel(299);
			let isStopped = false;
			channel.onPage = async () => {
				if (isStopped) return;
				isStopped = true;
				const subject = { text: 'list', isRecord: false };
				const request: ApiRequest = { method: 'GET', path: ['subscribers'], subject };
				await Promise.reject(describeFailure({ kind: 'network', code: 'ERR_CANCELED' }, request));
			};
			const [first, second] = [channel.client(), channel.client()].map(
				async (client) => await namesOf(client, 'c1'),
			);
			await expect(first).rejects.toThrow();
			expect(await second).toEqual(['u1']);
		});

		it('checks one name for each page at most, and then reads the list', async () => {
			const channel = new Channel(299);
			await namesOf(channel.client(), 'c1');
			channel.requests.length = 0;
			const client = channel.client();
			for (let number = 0; number < 250; number++) {
				expect(await namesOf(client, `c${number}`)).toEqual([`u${number}`]);
			}
			expect(channel.requests).toHaveLength(3 + 3);
		});

		it('remembers no writes that every later fetch will show', async () => {
			const channel = new Channel(300);
			const client = channel.client();
			for (let number = 0; number < 300; number++) {
				await client.request(changeId(`u${number}`, `new ${number}`));
				channel.time += MINUTE;
			}
			expect([channel.index.hasWritten('u0'), channel.index.hasWritten('u299')]).toEqual([
				false,
				true,
			]);
			channel.time += 2 * MINUTE;
			channel.index.forgetOld();
			expect(channel.index.hasWritten('u299')).toBe(false);
		});
	});

	it('remembers whom this process has created, up to 10,000 emails', () => {
		const index = new CustomerIdIndex(() => 0);
		const create = (number: number): void => {
			const body = { subscriber: { email: `New.${number}@example.com` } };
			const request = { ...changeId('', ''), method: 'POST' as const, body };
			index.noteResponse({ ...request, path: ['subscribers'] }, { uuid: `u${number}` });
		};
		create(0);
		expect(index.identifierWithEmail('new.0@example.com')).toBe('u0');
		for (let number = 1; number <= 10_000; number++) create(number);
		expect(index.identifierWithEmail('new.0@example.com')).toBeUndefined();
		expect(index.identifierWithEmail('new.1@example.com')).toBe('u1');
	});

	it('each channel has its index, which frees its memory when any channel is used', () => {
		let time = 0;
		const clock = { ...runtime.clock, now: () => time, date: () => time };
		const access = { baseUrl: 'https://x.example', subdomain: '', token: '' };
		const of = (credentialId: string) =>
			openChannel({ ...access, credentialId }, { ...runtime, clock }).channel.customerIds;
		const [one, other] = [of('one'), of('other')];
		expect(other).not.toBe(one);
		expect(of('one')).toBe(one);
		one.noteResponse(changeId('u1', 'x'), {});
		expect([one.hasWritten('u1'), other.hasWritten('u1')]).toEqual([true, false]);
		time = 10 * MINUTE;
		of('other');
		expect(one.hasWritten('u1')).toBe(false);
	});
});

describe('any sequence of the index', () => {
	type Step =
		| { kind: 'ask'; id: number }
		| { kind: 'foreign' | 'own'; person: number; id: number }
		| { kind: 'wait'; ms: number };

	const [person, id] = [fc.nat({ max: 4 }), fc.nat({ max: 4 })];
	const step: fc.Arbitrary<Step> = fc.oneof(
		fc.record({ kind: fc.constant('ask'), id }),
		fc.record({ kind: fc.constantFrom('foreign', 'own'), person, id }),
		fc.record({ kind: fc.constant('wait'), ms: fc.constantFrom(MINUTE, 3 * MINUTE) }),
	);

	it('finds everyone whose ID is older than the last snapshot can be, and nobody without the ID', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
				const channel = new Channel(5);
				/** When each person got their ID. -Infinity means that this process wrote it. */
				const since = new Map<string, number>();
				for (const one of steps) {
					if (one.kind === 'wait') channel.time += one.ms;
					else if (one.kind === 'ask') await checkAnswer(channel, since, `c${one.id}`);
					else {
						const uuid = `u${one.person}`;
						if (one.kind === 'own') await giveId(channel, uuid, `c${one.id}`);
						else channel.people.get(uuid)!.customer_id = `c${one.id}`;
						since.set(uuid, one.kind === 'own' ? -Infinity : channel.time);
					}
				}
			}),
			runs(300),
		);
	});

	async function checkAnswer(
		channel: Channel,
		since: ReadonlyMap<string, number>,
		customerId: string,
	): Promise<void> {
		const holders = await holdersOf(channel.client(), customerId);
		const found = holders.map(({ name }) => name);
		for (const { uuid, customer_id: held } of channel.people.values()) {
			const age = channel.time - (since.get(uuid) ?? -Infinity);
			if (held !== customerId) expect(found).not.toContain(uuid);
			else if (age >= 6 * MINUTE) expect(found).toContain(uuid);
		}
	}

	async function giveId(channel: Channel, uuid: string, customerId: string): Promise<void> {
		await channel.client().request({
			method: 'PATCH',
			path: ['subscribers', uuid],
			body: { subscriber: { customer_id: customerId } },
			subject: { text: 'subscriber', isRecord: true },
		});
	}
});
