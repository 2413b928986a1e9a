import type { IDataObject } from 'n8n-workflow';

import { runs, seed } from '../../support/deep';
import type { TrueDay } from './dayTruth';
import { DAY_MS, DayScenario, failedIn } from './dayScenario';

const DAYS = 30;

function dayBefore(date: string, days = 1): string {
	return new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10);
}

/** What an email program shows: without tags, each element on its own line. */
function shown(html: unknown): string[] {
	return String(html)
		.replace(/<(?:br|\/?(?:div|td|tr|table))[^>]*>/g, '\n')
		.replace(/<[^>]*>/g, '')
		.replaceAll('&#39;', "'")
		.split('\n')
		.map((line) => line.trim());
}

function countsOf({ opened, closed, open }: TrueDay): string {
	return `${closed.length} left, ${opened.length} joined, ${open} open.`;
}

/** The lines of a list in the text, such as "Left". */
function linesOf(text: string, title: string): string[] {
	const part = text.split('\n\n').find((one) => one.startsWith(`${title}:`)) ?? '';
	return part.split('\n').slice(1);
}

/** How many bars of a color the chart has. */
function barsIn(html: unknown, color: string): number {
	return [...String(html).matchAll(new RegExp(`height:\\d+px[^"]*background-color:${color}`, 'g'))]
		.length;
}

/** Compares the summary of a check with what was true. */
function expectTruth(scenario: DayScenario, summary: IDataObject): void {
	const today = scenario.dateOf(scenario.at);
	const yesterday = dayBefore(today);
	const text = String(summary.text);
	const first = scenario.truth.firstDate;
	const isFirst = yesterday < first;
	const day = scenario.truth.day(isFirst ? today : yesterday);
	const { open } = scenario.truth.day(today);
	expect(text).toContain(` on the list, and ${open} feeds open.`);
	const failed = failedIn(summary);
	expect([failed, scenario.open.length - open].map(Math.abs)).toEqual([failed, failed]);

	const name = new Date(isFirst ? today : yesterday).toLocaleDateString('en-US', {
		...({ timeZone: 'UTC', month: 'long', day: 'numeric' } as const),
	});
	expect(text.split('\n')[0]).toMatch(new RegExp(`, ${name}: ${countsOf(day)}$`));
	const html = shown(summary.html);
	const at = html.findIndex((line) => line.endsWith(`, ${name}`));
	const cells = html.slice(at + 1).filter((line) => line !== '');
	expect(cells.slice(0, 6).join(' ')).toBe(countsOf(day).replace(/[,.]/g, ''));
	for (const [title, changes] of [
		['Left', day.closed],
		['Joined', day.opened],
	] as const) {
		const lines = linesOf(text, title);
		expect(lines).toHaveLength(Math.min(changes.length, 13));
		const emails = changes.map(({ email }) => email);
		for (const [email] of lines.join('\n').matchAll(/\S+@\S+/g)) expect(emails).toContain(email);
	}
	if (isFirst) return;
	const { opened, closed } = day;
	expect(summary.title).toMatch(
		`Yesterday: ${opened.length} joined, ${closed.length} left, ${day.open} open`,
	);
	const now = scenario.truth.day(today);
	const sofar = now.opened.length + now.closed.length === 0 ? '' : countsOf(now);
	expect(/Today so far: (.*)/.exec(text)?.[1] ?? '').toBe(sofar);
	expectChart(scenario, summary, yesterday);
}

/** The chart shows 30 days up to yesterday, or as many as there are. */
function expectChart(scenario: DayScenario, { text, html }: IDataObject, yesterday: string): void {
	const dates: string[] = [];
	for (let ago = 0; ago < 30; ago++) dates.push(dayBefore(yesterday, ago));
	const days = dates
		.filter((date) => date >= scenario.truth.firstDate)
		.map((date) => scenario.truth.day(date));
	if (days.length === 1) return;
	const sum = (key: 'closed' | 'opened') => days.reduce((all, day) => all + day[key].length, 0);
	const before = scenario.truth.day(dayBefore(yesterday, days.length)).open;
	const words = `In ${days.length} days: ${sum('opened')} joined, ${sum('closed')} left, from ${before} to ${days[0]!.open} open feeds.`;
	expect(String(text)).toContain(words);
	expect(shown(html)).toContain(words);
	const [up, down] = ['#23955a', '#d23f31'].map((color) => barsIn(html, color));
	expect(up).toBe(days.filter(({ opened }) => opened.length > 0).length);
	expect(down).toBe(days.filter(({ closed }) => closed.length > 0).length);
	const levels = days.map(({ open }) => open);
	const range = [Math.min(...levels), Math.max(...levels)];
	expect(shown(html)).toContain(
		range[0] === range[1] ? `Open ${range[0]}` : `Open from ${range[0]} to ${range[1]}`,
	);
}

/** Days with restarts, zones, changed clocks, gaps, outages, and changes by others. */
async function playDays(seed: number): Promise<number> {
	const scenario = new DayScenario(seed);
	const end = scenario.at + DAYS * DAY_MS;
	let compared = 0;
	expectTruth(scenario, (await scenario.check())!);
	while (scenario.at < end) {
		const minutes = scenario.oneOf([5, 60, 180, 240, 300, 480, 600, 1440, 3000]);
		scenario.pass(minutes);
		if (scenario.random() < 0.05) scenario.move();
		const how = { isDown: scenario.random() < 0.15, isLost: scenario.random() < 0.15 };
		const summary = await scenario.check(how);
		if (summary === undefined) continue;
		expectTruth(scenario, summary);
		compared += 1;
	}
	return compared;
}

const { numRuns } = runs(10);
const seeds = Array.from({ length: numRuns }, (_, index) => seed * 1_000 + index);

it.each(seeds)(
	`the page, the email and the chart have the sums that Supercast saw, in ${DAYS} days (seed %i)`,
	async (one) => {
		expect(await playDays(one)).toBeGreaterThan(20);
	},
);

it.each(seeds.slice(0, seeds.length / 2))(
	"each feed counts once while n8n's clock is set forward and back (seed %i)",
	async (one) => {
		const scenario = new DayScenario(one);
		await scenario.check();
		for (let check = 0; check < 60; check++) {
			scenario.pass(scenario.oneOf([5, 60, 240, 600]));
			scenario.clockMs = scenario.random() < 0.5 ? 0 : (scenario.upTo(36) - 18) * 5 * 60_000;
			await scenario.check({ isDown: scenario.random() < 0.15 });
			expect(scenario.sums()).toEqual(scenario.truth.sums());
		}
	},
);
