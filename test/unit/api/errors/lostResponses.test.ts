import type { Failure } from '../../../../nodes/Supercast/api/types';
import { changing, CHECK_BASE_URL, deleting, LOOK_FIRST, reading, shown } from './texts';

const network = (code: string): Failure => ({ kind: 'network', code });
const notJson = (truncated: boolean): Failure => ({ kind: 'notJson', status: 200, truncated });

type Row = [failure: Failure, message: string, description: string];

describe('without a usable response, a failed delete says what happened and what to do', () => {
	it.each<Row>([
		[
			network('ECONNREFUSED'),
			'Supercast could not be reached while deleting the subscriber "ann@example.com": the connection was refused',
			`The server is down, or the address is wrong. ${CHECK_BASE_URL}`,
		],
		[
			network('ENOTFOUND'),
			'Supercast could not be reached while deleting the subscriber "ann@example.com": there is no server with that name',
			CHECK_BASE_URL,
		],
		[
			network('EAI_AGAIN'),
			'Supercast could not be reached while deleting the subscriber "ann@example.com": the server name could not be looked up',
			`Check that your n8n has a working internet connection. ${CHECK_BASE_URL}`,
		],
		[
			network('ERR_CANCELED'),
			'The request to Supercast was canceled while deleting the subscriber "ann@example.com"',
			`The execution was stopped. ${LOOK_FIRST}`,
		],
		...['ETIMEDOUT', 'ECONNABORTED'].map((code): Row => [
			network(code),
			'Supercast did not respond in time while deleting the subscriber "ann@example.com"',
			`Supercast may be overloaded. Try again later. ${LOOK_FIRST}`,
		]),
		...['CERT_HAS_EXPIRED', 'ERR_SSL_WRONG_VERSION_NUMBER', 'DEPTH_ZERO_SELF_SIGNED_CERT'].map(
			(code): Row => [
				network(code),
				`n8n could not make a secure connection to Supercast while deleting the subscriber "ann@example.com" (${code})`,
				`n8n could not verify the server's certificate. ${CHECK_BASE_URL}`,
			],
		),
		...['ECONNRESET', 'SOMETHING_NEW'].map((code): Row => [
			network(code),
			'The connection to Supercast was interrupted while deleting the subscriber "ann@example.com"',
			`Check the network between your n8n and Supercast, then try again. ${LOOK_FIRST}`,
		]),
		[
			notJson(true),
			'Supercast\'s response was cut off while deleting the subscriber "ann@example.com"',
			`Try again. ${LOOK_FIRST}`,
		],
		[
			notJson(false),
			'The server sent a web page instead of an API response while deleting the subscriber "ann@example.com" (status 200)',
			CHECK_BASE_URL,
		],
		[
			{ kind: 'unexpected', status: 201, came: "an object with 'error'" },
			'Supercast sent an unexpected response while deleting the subscriber "ann@example.com" (status 201)',
			`Supercast sent an object with 'error'. ${LOOK_FIRST} ${CHECK_BASE_URL}`,
		],
		[
			{ kind: 'existedBefore' },
			'The response was lost while deleting the subscriber "ann@example.com", so the outcome is unknown',
			'Supercast has a record with this email, but its values differ from those in this request. Check the record in Supercast before you run this item again.',
		],
	])('%j', (failure, message, description) => {
		expect(shown(failure, deleting)).toEqual([message, description]);
	});
});

describe('without a usable response, a failed read does not warn of a change', () => {
	it.each<Row>([
		[
			network('ERR_CANCELED'),
			'The request to Supercast was canceled while reading the subscriber "ann@example.com"',
			'The execution was stopped.',
		],
		[
			network('ETIMEDOUT'),
			'Supercast did not respond in time while reading the subscriber "ann@example.com"',
			'Supercast may be overloaded. Try again later.',
		],
		[
			network('ECONNRESET'),
			'The connection to Supercast was interrupted while reading the subscriber "ann@example.com"',
			'Check the network between your n8n and Supercast, then try again.',
		],
		[
			notJson(true),
			'Supercast\'s response was cut off while reading the subscriber "ann@example.com"',
			'Try again.',
		],
		[
			{ kind: 'unexpected', status: 200, came: 'a list' },
			'Supercast sent an unexpected response while reading the subscriber "ann@example.com" (status 200)',
			`Supercast sent a list. ${CHECK_BASE_URL}`,
		],
	])('%j', (failure, message, description) => {
		expect(shown(failure, reading)).toEqual([message, description]);
	});
});

it('names what the request was doing, if its method does not say it', () => {
	const subject = { ...changing.subject, verb: 'suspending' };
	const [message] = shown(network('ECONNRESET'), { ...changing, subject });
	expect(message).toContain('while suspending the subscriber "ann@example.com"');
});

describe('after several tries, the description', () => {
	const done = { attempts: 3, ms: 4_000, maybeProcessed: false };
	const lost = { ...done, maybeProcessed: true };
	const refused: Failure = { kind: 'status', status: 403, body: {} };
	const tried = 'The node tried 3 times in 4 seconds.';

	it('warns once if Supercast may have processed one of them', () => {
		expect(shown(network('ENOTFOUND'), deleting, lost)[1]).toBe(
			`${CHECK_BASE_URL} ${LOOK_FIRST} ${tried}`,
		);
		expect(shown(notJson(true), deleting, lost)[1]).toBe(`Try again. ${LOOK_FIRST} ${tried}`);
	});

	it('does not warn of a change if there was none', () => {
		expect(shown(network('ENOTFOUND'), deleting, done)[1]).toBe(`${CHECK_BASE_URL} ${tried}`);
		expect(shown(network('ENOTFOUND'), reading, lost)[1]).toBe(`${CHECK_BASE_URL} ${tried}`);
		expect(shown(refused, reading, lost)[1]).toBe(
			`Use a token from the channel that owns the record. ${tried}`,
		);
	});

	it('says nothing of the tries if there was one', () => {
		const once = { attempts: 1, ms: 4_000, maybeProcessed: true };
		expect(shown(network('ENOTFOUND'), deleting, once)[1]).toBe(`${CHECK_BASE_URL} ${LOOK_FIRST}`);
	});
});
