import type { ApiRequest, Failure } from '../../../../nodes/Supercast/api/types';
import {
	changing,
	CHECK_BASE_URL,
	creating,
	deleting,
	listing,
	LOOK_FIRST,
	reading,
	shown,
} from './texts';

const status = (code: number, body?: unknown, location?: string): Failure => ({
	kind: 'status',
	status: code,
	body,
	...(location === undefined ? {} : { location }),
});

const NO_WRITE_SCOPE =
	"The token does not have the scope 'write'. Use an access token with that scope. With OAuth2, enter \"public write\" in 'Scope' in the credential, save the credential and reconnect it. If the grant type is Client Credentials, create a new credential instead.";
const NOT_FOUND =
	"Check the spelling, and that the credential and its 'Base URL' belong to the right channel.";
const WAIT_FOR_OTHERS =
	'Supercast allows 100 requests per minute across all apps. Run the remaining items again when other apps are less busy.';
const NOT_FOLLOWED = `The node does not follow redirects, because a redirected request loses its data. ${CHECK_BASE_URL}`;

const ANN = 'the subscriber "ann@example.com"';

describe('a refusal says what happened and what to do', () => {
	it.each<[code: number, request: ApiRequest, message: string, description: string]>([
		[
			400,
			changing,
			`Supercast could not read the request while changing ${ANN}`,
			'Check the values of this item for invalid characters or malformed JSON.',
		],
		[
			401,
			reading,
			'Supercast did not accept the access token',
			'The token is mistyped or was revoked. In Supercast, open Settings, then API, and generate a new token. Then paste it into the credential.',
		],
		[
			402,
			creating,
			`Supercast requires a payment while creating ${ANN}`,
			'In Supercast, check that the channel has a paid-up plan that includes the feature you used.',
		],
		[
			403,
			reading,
			`This access token is not allowed to read this: stopped while reading ${ANN}`,
			'Use a token from the channel that owns the record.',
		],
		...[creating, changing, deleting].map(
			(request, index): [number, ApiRequest, string, string] => [
				403,
				request,
				`This access token is not allowed to make changes: stopped while ${['creating', 'changing', 'deleting'][index]} ${ANN}`,
				NO_WRITE_SCOPE,
			],
		),
		[404, deleting, 'Supercast has no subscriber "ann@example.com"', NOT_FOUND],
		[
			404,
			{ ...deleting, subject: { ...deleting.subject, remedyIfMissing: 'It may be gone.' } },
			'Supercast has no subscriber "ann@example.com"',
			`${NOT_FOUND} It may be gone.`,
		],
		[
			404,
			listing,
			'Supercast has no such address: stopped while reading the list of subscribers',
			CHECK_BASE_URL,
		],
		[
			409,
			changing,
			`Supercast refused a conflicting change while changing ${ANN}`,
			'The record may already exist, or another change to it may be in progress. Check the record in Supercast, then run this item again.',
		],
		[
			413,
			changing,
			`The values of this item are too long for Supercast while changing ${ANN}`,
			'Shorten the values and run the item again.',
		],
		[
			299,
			reading,
			`Supercast refused the request while reading ${ANN} (status 299)`,
			CHECK_BASE_URL,
		],
		[
			422,
			changing,
			`Supercast did not accept the values while changing ${ANN}`,
			'Correct the fields that the message names, then run the item again.',
		],
		[
			429,
			deleting,
			`Supercast's request limit was reached while deleting ${ANN}, so nothing was done`,
			WAIT_FOR_OTHERS,
		],
		[
			500,
			reading,
			`Supercast could not process the request while reading ${ANN} (status 500)`,
			"The cause is on Supercast's side. Try again later.",
		],
		[
			503,
			deleting,
			`Supercast could not process the request while deleting ${ANN} (status 503)`,
			`The cause is on Supercast's side. Try again later. ${LOOK_FIRST}`,
		],
	])('%d', (code, request, message, description) => {
		expect(shown(status(code), request)).toEqual([message, description]);
		expect(shown(status(code, { message: 'No' }), request)).toEqual([
			message,
			`Supercast says: "No".\n${description}`,
		]);
	});

	it('429 does not claim that nothing was done if an earlier try may have been processed', () => {
		const effort = { attempts: 2, ms: 90_000, maybeProcessed: true };
		expect(shown(status(429), deleting, effort)).toEqual([
			`Supercast's request limit was reached while deleting ${ANN}`,
			`${WAIT_FOR_OTHERS} ${LOOK_FIRST} The node tried 2 times in 90 seconds.`,
		]);
	});
});

it.each([300, 399])('%d is not explained as a redirect', (code) => {
	expect(shown(status(code), reading)).toEqual([
		`Supercast sent an unexpected response while reading ${ANN} (status ${code})`,
		CHECK_BASE_URL,
	]);
	expect(shown(status(code), deleting)[1]).toBe(`${LOOK_FIRST} ${CHECK_BASE_URL}`);
});

it.each([
	[1_499, '1 second'],
	[1_500, '2 seconds'],
	[119_499, '119 seconds'],
	[119_500, '2 minutes'],
	[210_000, '4 minutes'],
])('%d ms of tries are %s', (ms, time) => {
	const effort = { attempts: 2, ms, maybeProcessed: false };
	expect(shown(status(429), reading, effort)[1]).toContain(`tried 2 times in ${time}.`);
});

describe('a redirect names the origin of the other address, and leaves out the rest', () => {
	it.each([
		[301, 'https://elsewhere.example/path?token=1', 'https://elsewhere.example'],
		[302, '/login', 'another address'],
		[307, undefined, 'another address'],
	])('%d to %j', (code, location, target) => {
		expect(shown(status(code, undefined, location), deleting)).toEqual([
			`'Base URL' redirects to ${target} (while deleting ${ANN})`,
			NOT_FOLLOWED,
		]);
	});
});
