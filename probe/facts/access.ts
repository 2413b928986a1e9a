import {
	doesNot,
	holds,
	holdsIf,
	unclear,
	type Evidence,
	type Fact,
	type Finding,
} from '../finding';
import { textOf } from '../../nodes/Supercast/api/json';
import type { Answer } from '../service';
import { recordOf } from '../shapes';

/** Tokens, hosts, the limit and errors. */
export const accessFacts = {
	'manual-tokens': {
		fact: 'A manual access token does not expire',
		expected: '',
		source: 'specification',
		certainty: 'stated',
		foundBy: 'nothing',
	},
	'token-required': {
		fact: 'Supercast responds with 401 to a request without a token',
		expected: '401',
		source: 'specification',
		certainty: 'stated',
		foundBy: 'reading',
		judge: ({ reading }) =>
			holdsIf(reading.withoutToken.status === 401, inWords(reading.withoutToken)),
	},
	'token-scope': {
		fact: '`/oauth/token/info` says what a token may do',
		expected: 'its scope',
		source: '',
		certainty: 'inferred from the conventions of Doorkeeper. This package does not rely on it',
		foundBy: 'reading',
		judge: ({ reading }) => scopeOf(reading.tokenInfo),
	},
	'both-paths': {
		fact: 'The API is available under `/api/v1` and under `/v1`',
		expected: '200 under both',
		source: 'specification',
		certainty: 'the specification shows both, and **Base URL** accepts both',
		foundBy: 'reading',
		judge: ({ reading: { otherPath } }) =>
			otherPath === undefined
				? unclear('the base URL has another path')
				: holdsIf(otherPath.status === 200, `${inWords(otherPath)} under the other path`),
	},
	paths: {
		fact: 'The paths and methods of each resource',
		expected: '',
		source: 'client',
		certainty:
			'stated, except for the question paths and Creator: Create. Only the integrations use those',
		foundBy: 'nothing',
	},
	superapps: {
		fact: 'A superapp names the channel in the query parameter `subdomain`',
		expected: '',
		source: 'client',
		certainty: "stated in Supercast's own example. The response without this parameter is unknown",
		foundBy: 'nothing',
	},
	webhooks: {
		fact: 'Supercast has no webhooks',
		expected: '',
		source: '',
		certainty: 'no source mentions webhooks, so the trigger polls',
		foundBy: 'nothing',
	},
	'both-hosts': {
		fact: "The API is available on the shared host `supercast.tech` and on the channel's own host",
		expected: '200 on both',
		source: 'client, reference',
		certainty:
			'each source names one of the two hosts. It is unknown whether one token works on both',
		foundBy: 'reading',
		judge: ({ reading: { otherHost } }) =>
			otherHost === undefined
				? unclear('the other host is unknown')
				: holdsIf(otherHost.status === 200, `${inWords(otherHost)} on the other host`),
	},
	'rate-limit': {
		fact: 'Supercast allows 100 requests per minute from all IP addresses. It responds to further requests with 429 and does not process them',
		expected: '429 after 100',
		source: 'specification',
		certainty: 'stated. The reference adds "if rate limiting is enabled for your access token"',
		foundBy: 'limit',
		judge: judgeLimit,
	},
	'retry-after': {
		fact: 'A 429 response says in `Retry-After` when to retry',
		expected: 'seconds or a date',
		source: '',
		certainty: 'unknown. The node accepts seconds and dates, and also works without the header',
		foundBy: 'limit',
		judge: judgeRetryAfter,
	},
	'missing-record': {
		fact: 'Supercast responds with 404 and JSON if a record does not exist',
		expected: '404, JSON',
		source: 'specification',
		certainty: 'the status is stated, and the form of the body is inferred',
		foundBy: 'reading',
		judge: ({ reading: { missingRecord } }) => isJson404(missingRecord),
	},
	'wrong-address': {
		fact: 'Supercast responds with 404 and JSON if an address does not exist',
		expected: '404, JSON',
		source: 'specification',
		certainty: 'the status is stated. If the body is a web page, the node recognizes it',
		foundBy: 'reading',
		judge: ({ reading: { wrongAddress } }) => isJson404(wrongAddress),
	},
	'error-message': {
		fact: 'The body of an error contains `message`',
		expected: '`message`, a text',
		source: 'client',
		certainty: 'stated. The two forms of `errors` in a 422 are inferred, and the node reads both',
		foundBy: 'reading',
		judge: ({ reading }) => judgeMessage(reading),
	},
} satisfies Record<string, Fact>;

/** A response in words: its status and its form. */
export function inWords({ status, form }: Answer): string {
	return `${status}, ${form}`;
}

function isJson404(answer: Answer): Finding {
	return holdsIf(answer.status === 404 && answer.form === 'JSON', inWords(answer));
}

const SCOPES = ['public', 'write'];

function scopeOf(answer: Answer): Finding {
	const { scope, scopes } = recordOf(answer, '') ?? {};
	const given = [scope ?? scopes ?? []].flat().flatMap((words) => textOf(words).split(/[ +]/));
	const known = SCOPES.filter((name) => given.includes(name));
	if (answer.status !== 200 || given.length === 0) return doesNot(inWords(answer));
	return holds(known.length === given.length ? known.join(' ') : 'a scope with another name');
}

function judgeMessage({ missingRecord, wrongAddress, withoutToken }: Evidence['reading']): Finding {
	const errors = [missingRecord, wrongAddress, withoutToken].filter(({ status }) => status >= 400);
	const bodies = errors.filter(({ form }) => form === 'JSON').map((error) => recordOf(error, ''));
	if (bodies.length === 0) return unclear('no error had a JSON body');
	const withMessage = bodies.filter((body) => typeof body?.message === 'string').length;
	return holdsIf(withMessage === bodies.length, `in ${withMessage} of ${bodies.length}`);
}

const FEWEST = 80;
const MOST = 105;

function judgeLimit({ limit }: Evidence): Finding {
	if (limit === undefined) return unclear('not tried (needs --limit)');
	const { taken, refusal } = limit;
	if (refusal === undefined) return doesNot(`no 429 in ${taken} requests within a minute`);
	if (taken < FEWEST) return unclear(`429 after ${taken}, perhaps because of other apps`);
	return holdsIf(taken <= MOST, `429 after ${taken}`);
}

function judgeRetryAfter({ limit, reading }: Evidence): Finding {
	const refusal = limit?.refusal ?? reading.refusals[0];
	if (refusal === undefined) return unclear('there was no 429');
	const value = refusal['retry-after'];
	if (value === undefined) return doesNot('no Retry-After');
	if (/^\d+$/.test(value)) return holds('seconds');
	return holdsIf(
		!Number.isNaN(Date.parse(value)),
		Number.isNaN(Date.parse(value)) ? 'another form' : 'a date',
	);
}
