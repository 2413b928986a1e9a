import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { parameterReader } from '../../../nodes/Supercast/execution/context';
import { findOperation } from '../../../nodes/Supercast/resources';
import { isDeep } from '../../support/deep';
import { clientOf, everySequence, freshClock } from '../../support/quarrel';
import { steps, UnreliableService } from '../../support/unreliableService';

jest.setTimeout(300_000);

const EMAIL = 'ann@example.com';
const ann = { mode: 'email', value: EMAIL };
const byId = { mode: 'id', value: '1' };
const firstName = { firstName: 'Ann' };

/** One operation that writes: how to run it, and how to see whether it is done. */
interface Writer {
	parameters: IDataObject;
	/** The record that is there before. */
	before?: (service: UnreliableService, state: string) => void;
	isDone: (service: UnreliableService) => boolean;
}

const person = (collection: string) => (service: UnreliableService, state: string) => {
	service.add(collection, { email: EMAIL, first_name: 'Old', state });
};
const thing = (collection: string) => (service: UnreliableService) => {
	service.add(collection, { title: 'Old', name: 'Old' });
};
const has =
	(collection: string, fields: IDataObject) =>
	(service: UnreliableService): boolean =>
		service
			.list(collection)
			.some((one) => Object.entries(fields).every(([key, value]) => one[key] === value));
const isGone = (collection: string) => (service: UnreliableService) =>
	service.list(collection).length === 0;
const feed = (state: string, ifMissing = 'error'): Writer => ({
	parameters: { subscriber: ann, options: { ifMissing } },
	before: person('subscribers'),
	isDone: has('subscribers', { state }),
});
const alert: Writer = {
	parameters: { usageAlert: byId },
	before: thing('usage_alerts'),
	isDone: isGone('usage_alerts'),
};
const remove = (collection: string, locator: IDataObject): Writer => ({
	parameters: locator,
	before: (service, state) =>
		(/^(sub|creator)/.test(collection) ? person : thing)(collection)(service, state),
	isDone: isGone(collection),
});

const writers: Record<string, Writer> = {
	'channel update': {
		parameters: { updateFields: { otherFields: '{"title":"New"}' } },
		isDone: has('channel', { title: 'New' }),
	},
	'creator create': {
		parameters: { email: EMAIL, additionalFields: firstName },
		isDone: has('creators', { email: EMAIL, first_name: 'Ann' }),
	},
	'creator delete': remove('creators', { creator: ann }),
	'creator update': {
		parameters: { creator: ann, updateFields: firstName },
		before: person('creators'),
		isDone: has('creators', { first_name: 'Ann' }),
	},
	'episode create': {
		parameters: { title: 'New' },
		isDone: has('episodes', { title: 'New' }),
	},
	'episode delete': remove('episodes', { episode: byId }),
	'episode update': {
		parameters: { episode: byId, updateFields: { title: 'New' } },
		before: thing('episodes'),
		isDone: has('episodes', { title: 'New' }),
	},
	'feed activate': feed('available'),
	'feed deactivate': feed('deactivated'),
	'feed deactivate, or succeed': feed('deactivated', 'succeed'),
	'feed suspend': feed('suspended'),
	'invite delete': remove('invites', { invite: byId }),
	'question create': {
		parameters: { title: 'New' },
		isDone: has('questions', { title: 'New' }),
	},
	'role create': { parameters: { name: 'New' }, isDone: has('roles', { name: 'New' }) },
	'role delete': remove('roles', { role: byId }),
	'role update': {
		parameters: { role: byId, updateFields: { name: 'New' } },
		before: thing('roles'),
		isDone: has('roles', { name: 'New' }),
	},
	'subscriber create': {
		parameters: { email: EMAIL, additionalFields: firstName },
		isDone: has('subscribers', { email: EMAIL, first_name: 'Ann' }),
	},
	'subscriber delete': remove('subscribers', { subscriber: ann }),
	'subscriber delete, or succeed': remove('subscribers', {
		...{ subscriber: ann, options: { ifMissing: 'succeed' } },
	}),
	'subscriber setAccess': {
		parameters: { access: 'open', email: EMAIL, customerId: '' },
		before: person('subscribers'),
		isDone: has('subscribers', { state: 'available' }),
	},
	'subscriber setAccess, close': {
		parameters: { access: 'close', email: EMAIL, customerId: '' },
		before: person('subscribers'),
		isDone: (service) => !has('subscribers', { state: 'available' })(service),
	},
	'subscriber update': {
		parameters: { subscriber: ann, updateFields: firstName },
		before: person('subscribers'),
		isDone: has('subscribers', { first_name: 'Ann' }),
	},
	'subscriber upsert': {
		parameters: { email: EMAIL, additionalFields: firstName, options: { reactivate: true } },
		before: person('subscribers'),
		isDone: (service) =>
			has('subscribers', { email: EMAIL, first_name: 'Ann' })(service) &&
			!has('subscribers', { state: 'deactivated' })(service),
	},
	'usageAlert dismiss': alert,
	'usageAlert ignore': alert,
	'usageAlert suspend': alert,
};

const states = fc.constantFrom('available', 'deactivated', 'suspended', 'absent');
/** How long reads lag behind changes. Supercast's pages say that it is seconds at most (inferred). */
const lags = fc.constantFrom(0, 0, 0, 500, 2_000, 4_000);

async function run(name: string, service: UnreliableService, parameters: IDataObject) {
	const [resource = '', key = ''] = name.replace(/,.*/, '').split(' ');
	const values: IDataObject = { simplify: false, options: {}, ...parameters };
	const context = {
		getNode: () => ({ parameters: {}, type: 'supercast' }),
		getNodeParameter: (one: string, _: number, fallback: unknown) => values[one] ?? fallback ?? {},
		getTimezone: () => 'UTC',
	};
	const operation = findOperation(resource, key);
	if (operation === undefined || !('prepare' in operation)) throw new Error(`no ${name}`);
	const task = operation.prepare(parameterReader(context as unknown as IExecuteFunctions)(0));
	const hints: string[] = [];
	const client = await clientOf(service, { maxWaitMs: 120_000 });
	const [output = {}] = await task.run(client, (hint) => hints.push(hint));
	return { output, hints };
}

describe('an operation that writes, with a Supercast that may or may not do it and say so', () => {
	/** `unknown`: an error, and the change was not made. `doneAfterAll`: an error, but it was. */
	const counts = { done: 0, missing: 0, said: 0, unknown: 0, doneAfterAll: 0 };

	it.each(Object.keys(writers))(
		'%s never reports done what is not, or missing what is there',
		async (name) => {
			const { parameters, before, isDone } = writers[name]!;
			await everySequence(fc.tuple(steps, states, lags), async ([plan, state, lagMs]) => {
				const clock = freshClock();
				const service = new UnreliableService(clock, [...plan], lagMs);
				if (state !== 'absent') before?.(service, state);
				const outcome = await clock
					.run(run(name, service, parameters))
					.catch((error: unknown) => error as Error);
				await clock.pass(60_000);
				const isTrue = isDone(service);
				const told = JSON.stringify([outcome, service.answers, lagMs]);
				if (outcome instanceof Error) {
					expect(outcome.name).toBe('ServiceError');
					counts[isTrue ? 'doneAfterAll' : 'unknown']++;
				} else if (outcome.output.alreadyMissing === true) {
					counts.missing++;
					expect([service.list('subscribers').length, told]).toEqual([0, told]);
				} else if (outcome.hints.length > 0 || outcome.output.attention) counts.said++;
				else {
					counts.done++;
					expect([isTrue, told]).toEqual([true, told]);
				}
			});
		},
	);

	it('and reports as unknown what was done in few cases only', () => {
		const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
		// A response that is lost, or wrong again and again, shows nothing. Measured: 11%.
		if (isDeep) process.stdout.write(`${JSON.stringify(counts)}\n`);
		expect(counts.doneAfterAll / all).toBeLessThan(0.15);
	});
});
