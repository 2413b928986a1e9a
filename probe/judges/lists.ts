import { LISTS, type ListName, type Pages } from '../evidence/reading';
import {
	doesNot,
	holds,
	holdsIf,
	inWords,
	isTelling,
	ofAnswer,
	unclear,
	type Evidence,
	type Finding,
	type Judge,
} from '../finding';
import type { Answer } from '../service';
import { identityOf, listOf, momentOf } from '../shapes';

/** The form of lists. */
export const listJudges = {
	'list-form': ({ reading }) => judgeForm(reading),
	'list-elements': ({ reading }) => judgeElements(reading),
	'paging-headers': ({ reading: { pages } }) => ofAnswer(pages.first, judgeHeaders),
	'page-headers': ({ reading: { pages } }) => ofAnswer(pages.second, judgeNumbers),
	total: ({ reading: { pages } }) => judgeTotal(pages),
	paging: ({ reading: { pages } }) => ofAnswer(pages.second, () => judgePaging(pages)),
	'largest-page': ({ reading: { pages } }) => ofAnswer(pages.large, () => judgeLargest(pages)),
	'past-the-end': ({ reading: { pages } }) =>
		ofAnswer(pages.pastEnd, (answer) => {
			const rows = rowsOf(answer);
			if (rows === undefined) return doesNot(inWords(answer));
			return holdsIf(rows.length === 0, 'no records', 'records');
		}),
	order: ({ reading }) => judgeOrder(reading),
} satisfies Record<string, Judge>;

const rowsOf = (answer: Answer) =>
	answer.status === 200 ? listOf(answer, 'subscriber')?.rows : undefined;

function present({ lists }: Evidence['reading']) {
	return (Object.keys(LISTS) as ListName[]).flatMap((name) => lists[name] ?? []);
}

function judgeForm(reading: Evidence['reading']): Finding {
	const seen = Object.entries(reading.lists).map(([name, { form }]) =>
		form.includes(`"${name}"`) ? 'an object with the list under its own name' : form,
	);
	// Whether it is no list, or an outage: the other lists tell.
	const others = Object.entries(reading.answers).filter(
		([name, answer]) => answer.status === 200 && reading.lists[name as ListName] === undefined,
	);
	const forms = [...new Set([...seen, ...others.map(([, answer]) => `no list (${answer.form})`)])];
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
	return holdsIf(areBare, 'bare records', 'each inside an object under its own name');
}

const EXPECTED_HEADERS = ['x-page', 'x-per-page', 'x-total'];

function judgeHeaders({ headers }: Answer): Finding {
	const seen = Object.keys(headers)
		.filter((name) => /page|total|^link$/.test(name))
		.sort();
	const known = seen.filter((name) => /^[a-z-]{1,30}$/.test(name));
	const hasAll = EXPECTED_HEADERS.every((name) => seen.includes(name));
	return holdsIf(hasAll, known.length === 0 ? 'none' : known.join(', '));
}

function judgeNumbers(second: Answer): Finding {
	const [page, size] = [second.headers['x-page'], second.headers['x-per-page']];
	if (page === undefined && size === undefined) return unclear('no such headers');
	const word = (value: string | undefined): string => String(Number(value ?? NaN));
	return holdsIf(
		Number(page ?? 2) === 2 && Number(size ?? 2) === 2,
		`${word(page)} and ${word(size)}`,
	);
}

/** Only the pages themselves show whether the total is right. */
function judgeTotal({ first, last }: Pages): Finding {
	const size = rowsOf(first)?.length ?? 0;
	if (last === undefined || size === 0) return unclear('no total, or no records');
	const [there, after] = [rowsOf(last.answer), rowsOf(last.after)];
	if (there === undefined || after === undefined) return unclear(inWords(last.answer));
	const expected = last.total - (last.number - 1) * size;
	if (after.length > 0) return doesNot('records after the last page');
	return holdsIf(there.length === expected, 'the last page ends there', 'fewer records');
}

function judgePaging({ first, second }: Pages): Finding {
	const [one, two] = [rowsOf(first), rowsOf(second)];
	if (one === undefined || two === undefined) return doesNot(inWords(second));
	if (one.length > 2) return doesNot(`${one.length} records instead of the 2 requested`);
	if (one.length < 2 || two.length === 0) return unclear('fewer than 3 subscribers');
	const known = new Set(one.map(identityOf));
	const isRepeated = two.some((row) => known.has(identityOf(row)));
	return holdsIf(!isRepeated, 'other records', 'the same records on the next page');
}

function judgeLargest({ large, afterLarge, hundred }: Pages): Finding {
	if (hundred !== undefined) {
		if (!isTelling(hundred)) return unclear(inWords(hundred));
		const seen = `1,000 was refused (${large.status}), 100 was `;
		return holdsIf(hundred.status === 200, `${seen}accepted`, `${seen}refused as well`);
	}
	const count = rowsOf(large)?.length ?? 0;
	const [one, two] = [large, afterLarge].map((answer) => rowsOf(answer)?.[0]);
	const isCapped = one !== undefined && two !== undefined && identityOf(one) !== identityOf(two);
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
	return holdsIf(!orders.includes('no order'), [...new Set(orders)].join('; '));
}

function orderOf(times: readonly number[]): string {
	const steps = times.slice(1).map((time, index) => time - times[index]!);
	if (steps.every((step) => step >= 0)) return 'the oldest first';
	return steps.every((step) => step <= 0) ? 'the newest first' : 'no order';
}
