import { playDay, type Class, type PlayedDay } from '../../support/days/day';
import { startDifferentService, type DifferentService } from '../../support/days/proxy';
import { services, type DifferentInOnePoint } from '../../support/days/services';
import { useQuickRuntime } from '../../support/quickRuntime';

// A hundredth of the real waits.
useQuickRuntime({ backoffMs: 5, visibleMs: 60, lateMs: 300 });

/** Where the node cannot notice the difference, and why. */
const SILENT: Record<string, string> = {
	'deletes are ignored': 'An empty response is the usual one to a delete (decision 0012).',
	'deletes are ignored with 204': 'An empty response is the usual one to a delete (decision 0012).',
	'the list ends after 25 people': 'A trigger sees a short list without a total as the whole list.',
	'the list leaves out closed subscribers': 'Such a list looks like that of another channel.',
};

const MOST_SILENT = 5;

async function dayIn({ options = {}, twist }: Partial<DifferentInOnePoint>): Promise<PlayedDay> {
	let running: DifferentService | undefined;
	try {
		running = await startDifferentService(options, twist);
		return await playDay(running.sandbox);
	} finally {
		await running?.close();
	}
}

/** A day is as bad as its worst step. */
function classOf({ steps }: PlayedDay): Class {
	const has = (one: Class): boolean => steps.some((step) => step.class === one);
	if (has('silent')) return 'silent';
	return has('loud') ? 'loud' : 'right';
}

function rowOf(name: string, day: PlayedDay): string {
	const odd = day.steps.filter((step) => step.class !== 'right');
	const details = odd.map((step) => `${step.class} ${step.name}`).join(', ');
	return `${classOf(day).padEnd(6)} | ${name} | ${details}`;
}

it('a day in the documented service is right, and nothing is said', async () => {
	const { steps, ...others } = await dayIn({});
	expect(steps.filter((step) => step.class !== 'right' || step.words !== '')).toEqual([]);
	expect(others).toEqual({ wronglyClosed: [], duplicates: [] });
});

describe('a day in a service that differs in one point', () => {
	const rows: string[] = [];
	afterAll(() => void process.stdout.write(`\n${rows.sort().join('\n')}\n`));

	it.each(services.map((service) => [service.name, service] as const))('%s', async (name, one) => {
		const day = await dayIn(one);
		rows.push(rowOf(name, day));
		expect(day.wronglyClosed).toEqual([]);
		expect(day.duplicates).toEqual([]);
		expect(classOf(day) === 'silent').toBe(name in SILENT);
	});

	it('is silently wrong in at most five of 60 services or more', () => {
		expect(services.length).toBeGreaterThanOrEqual(60);
		expect(Object.keys(SILENT).length).toBeLessThanOrEqual(MOST_SILENT);
	});
});
