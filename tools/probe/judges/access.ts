import { inWords, isTelling, type Answer } from '../answer';
import {
	doesNot,
	holds,
	holdsIf,
	ofAnswer,
	unclear,
	type Evidence,
	type Finding,
	type Judge,
} from '../finding';
import { recordOf } from '../shapes';

/** Judges tokens, hosts, the limit and errors. */
export const accessJudges = {
	'token-required': ({ reading }) =>
		ofAnswer(reading.withoutToken, (answer) => holdsIf(answer.status === 401, inWords(answer))),
	'both-paths': ({ reading }) =>
		isThere(reading.otherPath, 'under the other path', 'the base URL has another path'),
	'both-hosts': ({ reading }) =>
		isThere(reading.otherHost, 'on the other host', 'the other host is unknown'),
	'rate-limit': judgeLimit,
	'retry-after': judgeRetryAfter,
	'date-header': ({ reading }) =>
		ofAnswer(reading.channel, ({ headers }) =>
			holdsIf(!Number.isNaN(Date.parse(headers.date ?? '')), 'a date', 'no date'),
		),
	'missing-record': ({ reading }) => ofAnswer(reading.missingRecord, isJson404),
	'wrong-address': ({ reading }) => ofAnswer(reading.wrongAddress, isJson404),
	'error-message': ({ reading }) => judgeMessage(reading),
} satisfies Record<string, Judge>;

function isThere(answer: Answer | undefined, where: string, otherwise: string): Finding {
	const judge = (found: Answer): Finding =>
		holdsIf(found.status === 200 && found.form === 'JSON', `${inWords(found)} ${where}`);
	return ofAnswer(answer, judge, unclear(otherwise));
}

function isJson404(answer: Answer): Finding {
	return holdsIf(answer.status === 404 && answer.form === 'JSON', inWords(answer));
}

function judgeMessage({ missingRecord, wrongAddress, withoutToken }: Evidence['reading']): Finding {
	const all = [missingRecord, wrongAddress, withoutToken].filter(isTelling);
	const errors = all.filter(({ status, form }) => status >= 400 && form === 'JSON');
	if (errors.length === 0) return unclear('no error had a JSON body');
	const bodies = errors.map((error) => recordOf(error, ''));
	const withMessage = bodies.filter((body) => typeof body?.message === 'string').length;
	return holdsIf(withMessage === bodies.length, `in ${withMessage} of ${bodies.length}`);
}

const FEWEST = 80;
const MOST = 105;

function judgeLimit({ limit }: Evidence): Finding {
	if (limit === undefined) return unclear('not tried (needs --limit)');
	const { taken, refusal, others } = limit;
	if (refusal === undefined && others > 0) return unclear(`no 429, but ${others} other errors`);
	if (refusal === undefined) {
		const seen = `no 429 in ${taken} requests within a minute`;
		return taken > MOST ? doesNot(seen) : unclear(`${seen}, too few to tell`);
	}
	if (taken < FEWEST) return unclear(`429 after ${taken}, perhaps because of other apps`);
	return holdsIf(taken <= MOST, `429 after ${taken}`);
}

function judgeRetryAfter({ limit, reading }: Evidence): Finding {
	const refusal = limit?.refusal ?? reading.refusals[0];
	if (refusal === undefined) return unclear('there was no 429');
	const value = refusal['retry-after'];
	if (value === undefined) return doesNot('no Retry-After');
	if (/^\d+$/.test(value)) return holds('seconds');
	return holdsIf(!Number.isNaN(Date.parse(value)), 'a date', 'another form');
}
