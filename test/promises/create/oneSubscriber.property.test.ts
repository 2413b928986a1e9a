import fc from 'fast-check';

import type { ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import {
	clientOf,
	everySequence,
	freshClock,
	habits,
	quirks,
	runItem,
} from '../../support/quarrel';
import { QuarrelsomeService, type Quirk } from '../../support/quarrelsomeService';

const EMAIL = 'ann@example.com';
const FIELDS = { firstName: 'Ann', customerId: 'c-1' };
const WANTED = { first_name: 'Ann', customer_id: 'c-1' };
const stranger: Quirk = { kind: 'stranger' };

/** Inserts a stranger at some place in the sequence of events. */
const withStranger = fc
	.tuple(quirks, fc.nat({ max: 8 }))
	.map(([all, at]) => [...all.slice(0, at), stranger, ...all.slice(at)]);

/** Long enough for all started work to be committed. */
const LATER = 60_000;

async function outcome<T>(promise: Promise<T>): Promise<T | ServiceError> {
	return await promise.catch((error: unknown) => error as ServiceError);
}

it(`a create makes one subscriber, whatever breaks`, async () => {
	await everySequence(fc.tuple(quirks, habits), async ([given, own]) => {
		const clock = freshClock();
		const service = new QuarrelsomeService(clock, [...given], own);
		const run = clientOf(service).then(
			async (client) => await runItem(client, 'create', EMAIL, FIELDS),
		);
		await clock.run(run);
		await clock.pass(LATER);
		expect(service.named(EMAIL)).toMatchObject([WANTED]);
	});
});

it(`an upsert makes one subscriber with its fields, or brings the one up to date`, async () => {
	await everySequence(fc.tuple(quirks, habits, fc.boolean()), async ([given, own, isKnown]) => {
		const clock = freshClock();
		const service = new QuarrelsomeService(clock, [...given], own);
		if (isKnown) service.add({ email: 'Ann@Example.com', first_name: 'Old' });
		const client = await clientOf(service);
		const { action } = await clock.run(runItem(client, 'upsert', EMAIL, FIELDS));
		await clock.pass(LATER);
		expect(service.named(EMAIL)).toMatchObject([WANTED]);
		expect(action).toBe(isKnown ? 'updated' : 'created');
		const again = await clock.run(runItem(client, 'upsert', EMAIL, FIELDS));
		expect(again).toMatchObject({ action: 'unchanged', email: service.named(EMAIL)[0]!.email });
	});
});

it('two to four upserts of one email at the same time make one subscriber', async () => {
	const emails = fc.array(fc.constantFrom(EMAIL, 'Ann@example.com', 'ANN@EXAMPLE.COM'), {
		minLength: 2,
		maxLength: 4,
	});
	await everySequence(fc.tuple(quirks, habits, emails), async ([given, own, all]) => {
		const clock = freshClock();
		// Each has a separate budget of odd responses, but all may come to one of them.
		const service = new QuarrelsomeService(clock, [...given], own);
		const runs = all.map(
			async (email) => await runItem(await clientOf(service), 'upsert', email, FIELDS),
		);
		const outputs = await clock.run(Promise.all(runs));
		await clock.pass(LATER);
		expect(service.named(EMAIL)).toMatchObject([WANTED]);
		const created = outputs.filter(({ action }) => action === 'created');
		expect(created).toHaveLength(1);
	});
});

it('a create and an upsert of one email at the same time make one, if Supercast refuses two', async () => {
	await everySequence(fc.tuple(quirks, habits), async ([given, own]) => {
		fc.pre(own.onExistingEmail !== 'duplicate');
		const clock = freshClock();
		const service = new QuarrelsomeService(clock, [...given], own);
		const create = clientOf(service).then(
			async (one) => await runItem(one, 'create', EMAIL, FIELDS),
		);
		const upsert = clientOf(service).then(
			async (one) => await runItem(one, 'upsert', EMAIL, FIELDS),
		);
		await clock.run(Promise.all([outcome(create), upsert]));
		await clock.pass(LATER);
		expect(service.named(EMAIL)).toMatchObject([WANTED]);
	});
});

it('an upsert updates a subscriber whom someone else creates meanwhile', async () => {
	await everySequence(fc.tuple(withStranger, habits), async ([given, own]) => {
		fc.pre(own.onExistingEmail !== 'duplicate');
		const clock = freshClock();
		const service = new QuarrelsomeService(clock, [...given], own);
		const client = await clientOf(service);
		const output = await clock.run(runItem(client, 'upsert', EMAIL, FIELDS));
		await clock.pass(LATER);
		expect(service.named(EMAIL)).toMatchObject([WANTED]);
		const isMade = service.named(EMAIL)[0]!.made_by === undefined;
		if (!isMade) expect(output.action).not.toBe('created');
	});
});

it('a create fails when someone else was faster, and otherwise has its fields', async () => {
	await everySequence(fc.tuple(withStranger, habits), async ([given, own]) => {
		fc.pre(own.onExistingEmail !== 'duplicate');
		const clock = freshClock();
		const service = new QuarrelsomeService(clock, [...given], own);
		const client = await clientOf(service);
		const output = await clock.run(outcome(runItem(client, 'create', EMAIL, FIELDS)));
		await clock.pass(LATER);
		expect(service.named(EMAIL)).toHaveLength(1);
		if (output instanceof Error) {
			expect(service.named(EMAIL)).toMatchObject([{ made_by: 'stranger' }]);
			expect(output.message).toMatch(/outcome is unknown|did not accept|conflicting/);
		} else expect(service.named(EMAIL)).toMatchObject([WANTED]);
	});
});

it('a read returns the requested record, and accepts no other response', async () => {
	await everySequence(fc.tuple(quirks, habits), async ([given, own]) => {
		const clock = freshClock();
		const service = new QuarrelsomeService(clock, [...given], own);
		const ann = service.add({ email: EMAIL });
		const client = await clientOf(service);
		expect(await clock.run(runItem(client, 'get', EMAIL))).toEqual(ann);
	});
});

it('a change and a delete are done when they succeed', async () => {
	const renames = fc.boolean();
	await everySequence(fc.tuple(quirks, habits, renames), async ([given, own, isRename]) => {
		const clock = freshClock();
		const service = new QuarrelsomeService(clock, [...given], own);
		service.add({ email: EMAIL });
		const client = await clientOf(service);
		const name = isRename ? 'anna@example.com' : EMAIL;
		const fields = isRename ? { ...FIELDS, email: name } : FIELDS;
		await clock.run(runItem(client, 'update', EMAIL, fields));
		await clock.pass(LATER);
		expect(service.kept).toMatchObject([{ ...WANTED, email: name }]);

		const other = new QuarrelsomeService(clock, [...given], own);
		other.add({ email: EMAIL });
		await clock.run(clientOf(other).then(async (one) => await runItem(one, 'delete', EMAIL)));
		await clock.pass(LATER);
		expect(other.kept).toEqual([]);
	});
});
