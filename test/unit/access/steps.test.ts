import { ListCounter, NOTHING_REMEMBERED } from '../../../nodes/Supercast/access/sync/absences';
import { countCannotClose } from '../../../nodes/Supercast/access/sync/leaving';
import { planInSteps } from '../../../nodes/Supercast/access/sync/plan';
import { report } from '../../../nodes/Supercast/access/sync/report';
import {
	currentSubscriber,
	type CurrentSubscriber,
	type DesiredMember,
} from '../../../nodes/Supercast/access/match';
import {
	finish,
	finishWithRests,
	forEachInSteps,
	mapInSteps,
	type Steps,
} from '../../../nodes/Supercast/access/steps';
import type { SyncSettings } from '../../../nodes/Supercast/access/settings';
import { isDeep, scaled } from '../../support/deep';
import { held } from './fakeService';
import { NOW } from './running';

const SIZE = scaled(2_000, 60_000);

const settings: SyncSettings = {
	addCustomerIds: true,
	close: 'withCustomerId',
	closeAfter: 2,
	closeWithPlan: false,
	customerIdPrefix: '',
	dryRun: false,
	graceHours: 24,
	maxClosePercent: 5,
	neverClose: new Set(),
	output: 'all',
	reactivate: true,
	replaceCustomerId: false,
};

function people(): { members: DesiredMember[]; subscribers: CurrentSubscriber[] } {
	const all = Array.from({ length: SIZE }, (_, index) => held(index));
	const listed = all.filter((_, index) => index % 50 !== 7);
	return {
		subscribers: all.map((one) => currentSubscriber({ ...one })),
		members: listed.map((one, index) => ({
			...{ items: [index], email: one.email, fields: {} },
			customerIds: [one.customer_id ?? ''],
		})),
	};
}

/** Everything that Sync computes about a list, except for the requests. */
function* wholeRun(): Steps<void> {
	const { members, subscribers } = people();
	yield;
	const lists = new ListCounter(NOTHING_REMEMBERED, NOW);
	const plan = yield* planInSteps(members, subscribers, settings, { now: NOW, lists });
	const cannotClose = yield* countCannotClose(plan.decisions, plan.rules);
	yield* report({ outcomes: plan.decisions, plan, settings, cannotClose, warnings: [] });
}

/** The milliseconds of each step but the first, which prepares the test. */
function stepTimes(): number[] {
	const times: number[] = [];
	const steps = wholeRun();
	steps.next();
	for (let isDone = false; !isDone;) {
		const start = performance.now();
		isDone = steps.next().done === true;
		times.push(performance.now() - start);
	}
	return times;
}

it('Sync may rest after each 100 people, in each part of its computing', () => {
	const parts = 14;
	expect(stepTimes().length).toBeGreaterThan((parts * SIZE) / 100);
});

if (isDeep) {
	it('Sync computes nothing about 60,000 people for longer than 100 ms without a rest', () => {
		expect(Math.max(...stepTimes())).toBeLessThan(100);
	});
}

describe('a long computation', () => {
	it('rests each time it has worked for 20 ms', async () => {
		let [time, rests] = [0, 0];
		const clock = {
			now: () => time,
			sleep: async () => {
				rests += 1;
				await Promise.resolve();
			},
		};
		const all = Array.from({ length: 10_000 }, (_, index) => index);
		const work = mapInSteps(all, (one) => {
			time += 0.1;
			return one + 1;
		});
		expect(await finishWithRests(work, clock)).toHaveLength(10_000);
		expect(rests).toBeGreaterThanOrEqual(33);
		expect(rests).toBeLessThanOrEqual(50);
	});

	it('fails as it would without rests', async () => {
		const failing = (): Steps<void> =>
			forEachInSteps([1], () => {
				throw new Error('a fault of the test');
			});
		const clock = { now: () => 0, sleep: async () => await Promise.resolve() };
		await expect(finishWithRests(failing(), clock)).rejects.toThrow('a fault of the test');
		expect(() => finish(failing())).toThrow('a fault of the test');
	});
});
