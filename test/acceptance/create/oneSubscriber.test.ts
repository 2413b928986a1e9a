import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../harness/engine';
import type { ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import { testFaults, useFaultySandbox } from '../../support/faultMatrix';
import {
	clientOf,
	everySequence,
	freshClock,
	habits,
	quirks,
	runItem,
	useVirtualClock,
} from '../../support/quarrel';
import { QuirkySupercast, type Quirk } from '../../doubles/quirkySupercast';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

describe('an existing subscriber', () => {
	const sandbox = useSandbox();
	useQuickRuntime({ backoffMs: 2, visibleMs: 20, lateMs: 40 });
	const EMAIL = 'member@example.com';

	async function upsert(additionalFields: INodeParameters, options: INodeParameters = {}) {
		const { output, error } = await runSupercast({
			parameters: {
				resource: 'subscriber',
				operation: 'upsert',
				email: EMAIL,
				additionalFields,
				options,
			},
			credential: credentialOf(sandbox.current),
		});
		expect(error).toBeUndefined();
		expect(output).toHaveLength(1);
		return output[0]!.json;
	}

	async function setFeed(operation: 'activate' | 'deactivate' | 'suspend'): Promise<void> {
		await runSupercast({
			parameters: {
				resource: 'feed',
				operation,
				subscriber: { __rl: true, mode: 'email', value: EMAIL },
			},
			credential: credentialOf(sandbox.current),
		});
	}

	function held(): IDataObject[] {
		return sandbox.current.state.subscribers
			.filter(({ email }) => email.toLowerCase() === EMAIL)
			.map((subscriber) => ({ ...subscriber }));
	}

	function changesReceived(): string[] {
		return sandbox.current.state.requests.map(({ method }) => method).filter((m) => m !== 'GET');
	}

	describe('create or update', () => {
		it('creates once, and reports in the second run that nothing changed', async () => {
			const fields = { firstName: 'Ann', customerId: 'c-1', ignoreUsageAlerts: true, lastName: '' };
			expect(await upsert(fields)).toMatchObject({ action: 'created', email: EMAIL });
			expect(await upsert(fields)).toMatchObject({ action: 'unchanged', email: EMAIL });
			expect(held()).toHaveLength(1);
			expect(changesReceived()).toEqual(['POST']);
		});

		it('changes only what differs', async () => {
			await upsert({ firstName: 'Ann', customerId: 'c-1' });
			expect(await upsert({ firstName: 'Anna', customerId: 'c-1' })).toMatchObject({
				action: 'updated',
				first_name: 'Anna',
				customer_id: 'c-1',
			});
			const patch = sandbox.current.state.requests.find(({ method }) => method === 'PATCH');
			expect(patch?.body).toEqual({ subscriber: { first_name: 'Anna' } });
			expect(held()).toMatchObject([{ first_name: 'Anna' }]);
		});

		it('does not open a feed that was suspended for a reason', async () => {
			await upsert({});
			await setFeed('suspend');
			expect(await upsert({}, { reactivate: true })).toMatchObject({ action: 'unchanged' });
			expect(held()).toMatchObject([{ state: 'suspended' }]);
		});

		it('continues when someone else has created the subscriber in between', async () => {
			await upsert({ firstName: 'Ann' });
			// The first look-up finds nobody, as if the subscriber had been added a moment later.
			sandbox.current.controls.addFaults([
				{ kind: 'status', status: 404, method: 'GET', path: '/subscribers', times: 1 },
			]);
			expect(await upsert({ firstName: 'Anna' })).toMatchObject({
				action: 'updated',
				first_name: 'Anna',
			});
			expect(held()).toHaveLength(1);
		});
	});
});

describe('one record in several items', () => {
	const sandbox = useSandbox({ latencyMs: 5 });
	// The next item waits until a try that was lost can no longer be processed.
	useQuickRuntime({ lateMs: 300, visibleMs: 60 });

	describe('several items about the same record', () => {
		it('keep their order, so the last one decides', async () => {
			const { email } = sandbox.current.state.subscribers[0]!;
			// The first change needs a retry, and could come after the last one.
			sandbox.current.controls.addFaults([
				{ kind: 'reset', when: 'before', method: 'PATCH', path: '/subscribers', times: 1 },
			]);
			const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
			const { output } = await runSupercast({
				parameters: {
					resource: 'subscriber',
					operation: 'update',
					subscriber: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
					updateFields: { firstName: '={{ $json.name }}' },
				},
				credential: credentialOf(sandbox.current),
				items: names.map((name, index) => ({
					name,
					email: index % 2 === 0 ? email : ` ${email.toUpperCase()}`,
				})),
			});
			expect(output.map(({ json }) => json.first_name)).toEqual(names);
			expect(sandbox.current.state.subscriber(email)?.first_name).toBe('Name 7');
		});

		it('keep their order if there is only one record of the kind', async () => {
			const slow = { kind: 'reset', when: 'before', method: 'PATCH', path: '/channel' } as const;
			sandbox.current.controls.addFaults([{ ...slow, times: 1 }]);
			const titles = Array.from({ length: 8 }, (_, index) => `Title ${index}`);
			await runSupercast({
				parameters: {
					resource: 'channel',
					operation: 'update',
					updateFields: { otherFields: '={{ { title: $json.title } }}' },
				},
				credential: credentialOf(sandbox.current),
				items: titles.map((title) => ({ title })),
			});
			expect(sandbox.current.state.channel.title).toBe('Title 7');
		});

		it('lead to one subscriber, however often they create or update the same one', async () => {
			const { output } = await runSupercast({
				parameters: {
					resource: 'subscriber',
					operation: 'upsert',
					email: '={{ $json.email }}',
				},
				credential: credentialOf(sandbox.current),
				items: Array.from({ length: 10 }, () => ({ email: 'twin@example.com' })),
			});
			expect(output.map(({ json }) => json.action)).toEqual([
				'created',
				...Array.from({ length: 9 }, () => 'unchanged'),
			]);
			expect(sandbox.current.stats().byRoute['POST /subscribers']).toEqual({ '201': 1 });
		});
	});
});

describe('creates whose response is lost', () => {
	testFaults(useFaultySandbox(), ['create']);
});

describe('upserts whose response is lost', () => {
	testFaults(useFaultySandbox(), ['upsert']);
});

describe('any schedule', () => {
	useVirtualClock();

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
			const service = new QuirkySupercast(clock, [...given], own);
			const run = clientOf(service).then(
				async (client) => await runItem(client, 'create', EMAIL, FIELDS),
			);
			await clock.run(run);
			await clock.pass(LATER);
			expect(service.withEmail(EMAIL)).toMatchObject([WANTED]);
		});
	});

	it(`an upsert makes one subscriber with its fields, or brings the one up to date`, async () => {
		await everySequence(fc.tuple(quirks, habits, fc.boolean()), async ([given, own, isKnown]) => {
			const clock = freshClock();
			const service = new QuirkySupercast(clock, [...given], own);
			if (isKnown) service.add({ email: 'Ann@Example.com', first_name: 'Old' });
			const client = await clientOf(service);
			const { action } = await clock.run(runItem(client, 'upsert', EMAIL, FIELDS));
			await clock.pass(LATER);
			expect(service.withEmail(EMAIL)).toMatchObject([WANTED]);
			expect(action).toBe(isKnown ? 'updated' : 'created');
			const again = await clock.run(runItem(client, 'upsert', EMAIL, FIELDS));
			expect(again).toMatchObject({
				action: 'unchanged',
				email: service.withEmail(EMAIL)[0]!.email,
			});
		});
	});

	it('two to four upserts of one email at the same time make one subscriber', async () => {
		const emails = fc.array(fc.constantFrom(EMAIL, 'Ann@example.com', 'ANN@EXAMPLE.COM'), {
			minLength: 2,
			maxLength: 4,
		});
		await everySequence(fc.tuple(quirks, habits, emails), async ([given, own, all]) => {
			const clock = freshClock();
			// Each run has its own budget of odd responses, but one may get them all.
			const service = new QuirkySupercast(clock, [...given], own);
			const runs = all.map(
				async (email) => await runItem(await clientOf(service), 'upsert', email, FIELDS),
			);
			const outputs = await clock.run(Promise.all(runs));
			await clock.pass(LATER);
			expect(service.withEmail(EMAIL)).toMatchObject([WANTED]);
			const created = outputs.filter(({ action }) => action === 'created');
			expect(created).toHaveLength(1);
		});
	});

	it('a create and an upsert of one email at the same time make one, if Supercast refuses two', async () => {
		await everySequence(fc.tuple(quirks, habits), async ([given, own]) => {
			fc.pre(own.onExistingEmail !== 'duplicate');
			const clock = freshClock();
			const service = new QuirkySupercast(clock, [...given], own);
			const create = clientOf(service).then(
				async (one) => await runItem(one, 'create', EMAIL, FIELDS),
			);
			const upsert = clientOf(service).then(
				async (one) => await runItem(one, 'upsert', EMAIL, FIELDS),
			);
			await clock.run(Promise.all([outcome(create), upsert]));
			await clock.pass(LATER);
			expect(service.withEmail(EMAIL)).toMatchObject([WANTED]);
		});
	});

	it('an upsert updates a subscriber whom someone else creates meanwhile', async () => {
		await everySequence(fc.tuple(withStranger, habits), async ([given, own]) => {
			fc.pre(own.onExistingEmail !== 'duplicate');
			const clock = freshClock();
			const service = new QuirkySupercast(clock, [...given], own);
			const client = await clientOf(service);
			const output = await clock.run(runItem(client, 'upsert', EMAIL, FIELDS));
			await clock.pass(LATER);
			expect(service.withEmail(EMAIL)).toMatchObject([WANTED]);
			const isMade = service.withEmail(EMAIL)[0]!.made_by === undefined;
			if (!isMade) expect(output.action).not.toBe('created');
		});
	});

	it('a create fails when someone else was faster, and otherwise has its fields', async () => {
		await everySequence(fc.tuple(withStranger, habits), async ([given, own]) => {
			fc.pre(own.onExistingEmail !== 'duplicate');
			const clock = freshClock();
			const service = new QuirkySupercast(clock, [...given], own);
			const client = await clientOf(service);
			const output = await clock.run(outcome(runItem(client, 'create', EMAIL, FIELDS)));
			await clock.pass(LATER);
			expect(service.withEmail(EMAIL)).toHaveLength(1);
			if (output instanceof Error) {
				expect(service.withEmail(EMAIL)).toMatchObject([{ made_by: 'stranger' }]);
				expect(output.message).toMatch(/outcome is unknown|did not accept|conflicting/);
			} else expect(service.withEmail(EMAIL)).toMatchObject([WANTED]);
		});
	});

	it('a read returns the requested record, and accepts no other response', async () => {
		await everySequence(fc.tuple(quirks, habits), async ([given, own]) => {
			const clock = freshClock();
			const service = new QuirkySupercast(clock, [...given], own);
			const ann = service.add({ email: EMAIL });
			const client = await clientOf(service);
			expect(await clock.run(runItem(client, 'get', EMAIL))).toEqual(ann);
		});
	});

	it('a change and a delete are done when they succeed', async () => {
		const renames = fc.boolean();
		await everySequence(fc.tuple(quirks, habits, renames), async ([given, own, isRename]) => {
			const clock = freshClock();
			const service = new QuirkySupercast(clock, [...given], own);
			service.add({ email: EMAIL });
			const client = await clientOf(service);
			const name = isRename ? 'anna@example.com' : EMAIL;
			const fields = isRename ? { ...FIELDS, email: name } : FIELDS;
			await clock.run(runItem(client, 'update', EMAIL, fields));
			await clock.pass(LATER);
			expect(service.subscribers).toMatchObject([{ ...WANTED, email: name }]);

			const other = new QuirkySupercast(clock, [...given], own);
			other.add({ email: EMAIL });
			await clock.run(clientOf(other).then(async (one) => await runItem(one, 'delete', EMAIL)));
			await clock.pass(LATER);
			expect(other.subscribers).toEqual([]);
		});
	});
});
