import { inWords, type Answer } from '../answer';
import { LISTS, type ListName, type Pages } from '../evidence/reading';
import {
	doesNot,
	holdsIf,
	ofAnswer,
	unclear,
	type Evidence,
	type Finding,
	type Judge,
} from '../finding';
import { identityOf, listOf } from '../shapes';

/** Judges the format of lists. */
export const listJudges = {
	'list-form': ({ reading }) => judgeForm(reading),
	'list-elements': ({ reading }) => judgeElements(reading),
	'paging-headers': ({ reading: { pages } }) => ofAnswer(pages.first, judgeHeaders),
	'page-headers': ({ reading: { pages } }) =>
		// The page that was read is not the one that was meant.
		pages.startsAt === 0 ? unclear(FROM_ZERO) : ofAnswer(pages.second, judgeNumbers),
	total: ({ reading: { pages } }) => judgeTotal(pages),
	paging: ({ reading: { pages } }) => ofAnswer(pages.second, () => judgePaging(pages)),
	'largest-page': ({ reading: { pages } }) =>
		ofAnswer(pages.hundred, (answer) => judgeLargest(answer, pages)),
	'past-the-end': ({ reading: { pages } }) =>
		ofAnswer(pages.pastEnd, (answer) => {
			const rows = rowsOf(answer);
			if (rows === undefined) return doesNot(inWords(answer));
			return holdsIf(rows.length === 0, 'no records', 'records');
		}),
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

function judgeHeaders({ headers }: Answer): Finding {
	const names = Object.keys(headers).filter((name) => /^[a-z-]{0,20}(page|total|link)$/.test(name));
	const hasAll = ['x-page', 'x-per-page', 'x-total'].every((name) => names.includes(name));
	return holdsIf(hasAll, names.length === 0 ? 'none' : names.sort().join(', '));
}

function judgeNumbers({ headers }: Answer): Finding {
	const [page, size] = [headers['x-page'], headers['x-per-page']].map(Number);
	if (Number.isNaN(page) && Number.isNaN(size)) return unclear('no such headers');
	return holdsIf(page === 2 && size === 2, `${page} and ${size}`);
}

/** Only the pages themselves show whether the total is correct. */
function judgeTotal({ first, last }: Pages): Finding {
	const size = rowsOf(first)?.length ?? 0;
	if (last === undefined || size === 0) return unclear('no total, or no records');
	const [there, after] = [rowsOf(last.answer), rowsOf(last.after)];
	if (there === undefined || after === undefined) return unclear(inWords(last.answer));
	const expected = last.total - (last.number - 1) * size;
	if (after.length > 0) return doesNot('records after the last page');
	return holdsIf(there.length === expected, 'the last page ends there', 'fewer records');
}

function judgePaging(pages: Pages): Finding {
	const { first, second, startsAt } = pages;
	const [one, two] = [rowsOf(first), rowsOf(second)];
	if (startsAt === 0) return doesNot(FROM_ZERO);
	if (one === undefined || two === undefined) return doesNot(inWords(second));
	if (one.length > 2) return doesNot(`${one.length} records instead of the 2 requested`);
	if (one.length < 2 || two.length === 0) return unclear('fewer than 3 subscribers');
	const known = new Set(one.map(identityOf));
	const isRepeated = two.some((row) => known.has(identityOf(row)));
	return holdsIf(!isRepeated, 'other records', 'the same records on the next page');
}

const FROM_ZERO = 'pages are counted from 0';

function judgeLargest(hundred: Answer, { afterHundred }: Pages): Finding {
	if (hundred.status !== 200) return doesNot(`refused (${hundred.status})`);
	const [one, two] = [rowsOf(hundred) ?? [], rowsOf(afterHundred) ?? []];
	// If a list is shorter than a page, only the header shows the page size.
	const header = Number(hundred.headers['x-per-page'] ?? NaN);
	const isOver = two.length === 0 || identityOf(one[0] ?? {}) === identityOf(two[0]!);
	const size = one.length >= 100 ? one.length : isOver ? header : one.length;
	return Number.isNaN(size)
		? unclear('the list is shorter than a page')
		: holdsIf(size >= 100, `${size} of 100`);
}
