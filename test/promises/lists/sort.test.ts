import type { INodeParameters } from 'n8n-workflow';

import { hintsOf } from '../../support/members';
import { runSupercast, searchList } from '../../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 240 });
const subscribers = () => sandbox.current.state.subscribers;

async function getMany(more: INodeParameters) {
	const result = await runSupercast({
		parameters: { resource: 'subscriber', operation: 'getAll', returnAll: true, ...more },
		credential: credentialOf(sandbox.current),
	});
	const emails = result.output.map(({ json }) => json.email as string);
	return { emails, error: result.error, hints: hintsOf(result) };
}

describe('the filters by text', () => {
	it('find a part of the email, in any case', async () => {
		const { email } = subscribers()[77]!;
		const filters = { emailContains: ` ${email.slice(1, -4).toUpperCase()} ` };
		expect((await getMany({ filters })).emails).toEqual([email]);
	});

	it('find a part of the name, over the first and the last', async () => {
		Object.assign(subscribers()[9]!, { first_name: 'Zoë', last_name: 'Quill' });
		for (const nameContains of ['zoë quill', 'QUILL', 'oe\u0308 Q']) {
			const { emails } = await getMany({ filters: { nameContains } });
			expect(emails).toEqual([subscribers()[9]!.email]);
		}
		expect((await getMany({ filters: { nameContains: 'example' } })).emails).toEqual([]);
	});
});

describe('the option Sort', () => {
	/** Dates that have nothing to do with the order in which Supercast sends the list. */
	const shuffle = () =>
		subscribers().forEach((person, index) => {
			const day = 1 + ((index * 7) % 240);
			Object.assign(person, { created_at: new Date(Date.UTC(2025, 0, day)).toISOString() });
		});
	const byAge = () =>
		[...subscribers()]
			.sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
			.map(({ email }) => email);
	const byEmail = () =>
		subscribers()
			.map(({ email }) => email)
			.sort();

	it.each([
		['newest', () => byAge().reverse()],
		['oldest', byAge],
		['email', byEmail],
	])('%s reads the whole list, and takes the first ones of it', async (sort, expected) => {
		shuffle();
		const limited = await getMany({ returnAll: false, limit: 5, options: { sort } });
		expect(limited.emails).toEqual(expected().slice(0, 5));
		expect(limited.hints).toBe('5 of 240 subscribers');
		expect(sandbox.current.stats().requests).toBe(3);
		const all = await getMany({ options: { sort } });
		expect(all.emails).toEqual(expected());
		expect(all.hints).toBe('');
	});

	it('counts all matches if there are filters', async () => {
		shuffle();
		for (const index of [3, 100, 239]) Object.assign(subscribers()[index]!, { state: 'suspended' });
		const { emails, hints } = await getMany({
			returnAll: false,
			limit: 2,
			filters: { state: ['suspended'] },
			options: { sort: 'newest' },
		});
		const expected = byAge().filter((email) =>
			[3, 100, 239].some((index) => subscribers()[index]!.email === email),
		);
		expect(emails).toEqual(expected.reverse().slice(0, 2));
		expect(hints).toBe('Of 240 subscribers, 3 match the filters.');
	});
});

it('the list of a resource locator shows who has no open feed', async () => {
	const [ann, bob] = [subscribers().at(-1)!, subscribers().at(-2)!];
	Object.assign(ann, { state: 'charge_failure' });
	const options = {
		parameters: { resource: 'subscriber', operation: 'get' },
		credential: credentialOf(sandbox.current),
	};
	const nameOf = async (email: string) =>
		(await searchList(options, 'searchSubscribers', email)).results[0]!.name;
	expect(await nameOf(ann.email)).toBe(
		`${ann.first_name} ${ann.last_name} (${ann.email}), charge failure`,
	);
	expect(await nameOf(bob.email)).toBe(`${bob.first_name} ${bob.last_name} (${bob.email})`);
});
