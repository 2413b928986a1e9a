import { LISTS, type ListName, type Pages } from '../evidence/reading';
import {
	doesNot,
	holds,
	holdsIf,
	unclear,
	type Evidence,
	type Fact,
	type Finding,
} from '../finding';
import { listOf, momentOf } from '../shapes';
import { inWords } from './access';

/** The form of lists. */
export const listFacts = {
	'list-form': {
		fact: 'A list is a bare array',
		expected: 'an array',
		source: 'client',
		certainty:
			"stated. The node also reads a list that is inside an object, under the resource's name or `data`",
		foundBy: 'reading',
		judge: ({ reading }) => judgeForm(reading),
	},
	'list-elements': {
		fact: 'The elements of a list are the records themselves',
		expected: 'bare records',
		source: 'client',
		certainty: 'stated',
		foundBy: 'reading',
		judge: ({ reading }) => judgeElements(reading),
	},
	'paging-headers': {
		fact: 'A response that contains a list has the headers `X-Page`, `X-Per-Page` and `X-Total`',
		expected: 'all three',
		source: 'client',
		certainty: 'stated. Without them, the node reads until a page is empty or repeats',
		foundBy: 'reading',
		judge: ({ reading }) => judgeHeaders(reading.pages),
	},
	paging: {
		fact: 'The parameters `page` and `per_page` select a page',
		expected: 'other records on the next page',
		source: 'client',
		certainty: 'stated',
		foundBy: 'reading',
		judge: ({ reading }) => judgePaging(reading.pages),
	},
	'largest-page': {
		fact: 'A page can contain 100 records',
		expected: 'at least 100',
		source: '',
		certainty:
			'unknown. The node relies on the headers and the records, not on the page size that it requested',
		foundBy: 'reading',
		judge: ({ reading }) => judgeLargest(reading.pages),
	},
	'past-the-end': {
		fact: 'A page after the last one is empty',
		expected: 'no records',
		source: '',
		certainty: 'inferred',
		foundBy: 'reading',
		judge: ({ reading: { pages } }) => {
			const list = listOf(pages.pastEnd, 'subscriber');
			if (list === undefined) return doesNot(inWords(pages.pastEnd));
			return holdsIf(list.rows.length === 0, list.rows.length === 0 ? 'no records' : 'records');
		},
	},
	order: {
		fact: 'A list is ordered by age',
		expected: 'the oldest or the newest first',
		source: '',
		certainty: 'unknown. The order only affects how many requests the trigger sends',
		foundBy: 'reading',
		judge: ({ reading }) => judgeOrder(reading),
	},
} satisfies Record<string, Fact>;

function present({ lists }: Evidence['reading']) {
	return (Object.keys(LISTS) as ListName[]).flatMap((name) => lists[name] ?? []);
}

function judgeForm(reading: Evidence['reading']): Finding {
	const seen = Object.entries(reading.lists).map(([name, { form }]) =>
		form.includes(`"${name}"`) ? 'an object with the list under its own name' : form,
	);
	const forms = [...new Set(seen)];
	if (forms.length === 0) return unclear('no list could be read');
	return holdsIf(
		forms.every((form) => form === 'an array'),
		forms.join('; '),
	);
}

function judgeElements(reading: Evidence['reading']): Finding {
	const filled = present(reading).filter(({ rows }) => rows.length > 0);
	if (filled.length === 0) return unclear('no list had a record');
	const areBare = filled.every((list) => list.areBare);
	return holdsIf(areBare, areBare ? 'bare records' : 'each inside an object under its own name');
}

const EXPECTED_HEADERS = ['x-page', 'x-per-page', 'x-total'];

function judgeHeaders({ first }: Pages): Finding {
	const seen = Object.keys(first.headers)
		.filter((name) => /page|total|^link$/.test(name))
		.sort();
	const known = seen.filter((name) => /^[a-z-]{1,30}$/.test(name));
	const hasAll = EXPECTED_HEADERS.every((name) => seen.includes(name));
	return holdsIf(hasAll, known.length === 0 ? 'none' : known.join(', '));
}

function judgePaging({ first, second }: Pages): Finding {
	const [one, two] = [first, second].map((answer) => listOf(answer, 'subscriber')?.rows);
	if (one === undefined || two === undefined) return doesNot(inWords(first));
	if (one.length > 2) return doesNot(`${one.length} records instead of the 2 requested`);
	if (one.length < 2 || two.length === 0) return unclear('fewer than 3 subscribers');
	const isRepeated = two.some(({ uuid }) => one.some((row) => row.uuid === uuid));
	return holdsIf(!isRepeated, isRepeated ? 'the same records on the next page' : 'other records');
}

function judgeLargest({ large, afterLarge, hundred }: Pages): Finding {
	if (hundred !== undefined) {
		const seen = `1,000 was refused (${large.status}), 100 was `;
		return hundred.status === 200 ? holds(`${seen}accepted`) : doesNot(`${seen}refused as well`);
	}
	const count = listOf(large, 'subscriber')?.rows.length ?? 0;
	const isCapped = (listOf(afterLarge, 'subscriber')?.rows.length ?? 0) > 0;
	if (isCapped) return holdsIf(count >= 100, `${count} of 1,000`);
	if (count >= 100) return holds('at least 100');
	// If a list is shorter than a page, only the header shows it.
	const header = Number(large.headers['x-per-page'] ?? NaN);
	if (header < 1_000) return holdsIf(header >= 100, `${header} of 1,000`);
	return unclear('the list is shorter than a page');
}

function judgeOrder({ lists }: Evidence['reading']): Finding {
	const orders = (['subscribers', 'episodes'] as const).flatMap((name) => {
		const times = (lists[name]?.rows ?? []).map(({ created_at: time }) => momentOf(time));
		const known = times.filter((time) => time !== undefined);
		return new Set(known).size < 3 ? [] : [orderOf(known)];
	});
	if (orders.length === 0) return unclear('too few records have a time');
	const seen = [...new Set(orders)].join('; ');
	return holdsIf(!orders.includes('no order'), seen);
}

function orderOf(times: readonly number[]): string {
	const steps = times.slice(1).map((time, index) => time - times[index]!);
	if (steps.every((step) => step >= 0)) return 'the oldest first';
	return steps.every((step) => step <= 0) ? 'the newest first' : 'no order';
}
