import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { accessTokenOf } from '../api/auth/accessToken';
import { ACCESS_TOKEN_SENTENCES, NOT_THE_API, noVersion } from '../api/auth/testSentences';
import { describeFailure, InputError, type ServiceError } from '../api/errors/errors';
import { normalizeBaseUrl } from '../api/http/address';
import { barrierIn, parseErrorResponse, parseThrownError } from '../api/http/parseErrorResponse';
import { Secrets } from '../api/http/redact';
import { isRecord } from '../api/json';
import type { ApiRequest, Failure } from '../api/types';

/** A person waits for the result. */
const TIMEOUT_MS = 30_000;

const testRequest: ApiRequest = {
	method: 'GET',
	path: ['channel'],
	subject: { text: 'channel', isRecord: false },
};

interface Response {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/**
 * The test of a manual access token. It reads the channel, as the test of OAuth2 does. If there is
 * no response, n8n's own test shows only a code such as ENOTFOUND.
 */
export async function testAccessToken(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	// The only helper for requests that n8n gives to a test.
	const { helpers } = this;
	try {
		const baseUrl = normalizeBaseUrl(data.baseUrl);
		const token = accessTokenOf(data.accessToken);
		const response = (await helpers.request({
			uri: `${baseUrl}/channel`,
			headers: { Authorization: `Bearer ${token}` },
			json: true,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			timeout: TIMEOUT_MS,
		})) as Response;
		const body = new Secrets(token).redact(response.body);
		const sentence = sentenceFor({ ...response, body }, baseUrl);
		if (sentence !== undefined) return result('Error', sentence);
		return result('OK', 'Connection successful!');
	} catch (error) {
		const isInput = error instanceof InputError;
		const text = isInput ? sentencesOf(error) : describe(parseThrownError(error, Date.now()));
		return result('Error', text);
	}
}

/** What is wrong, or undefined if the response is that of a channel. */
function sentenceFor(response: Response, baseUrl: string): string | undefined {
	const { statusCode: status, body } = response;
	const isAddressWrong =
		status === 404 || (status >= 300 && status < 400) || (status < 300 && !isRecord(body));
	const isBarrier = status < 300 && barrierIn(body).isBarrier;
	if (isBarrier) return describe({ kind: 'notJson', status, truncated: false, isBarrier });
	return (isAddressWrong ? noVersion(baseUrl) : undefined) ?? sentenceOf(response, isAddressWrong);
}

function sentenceOf(
	{ statusCode: status, headers, body }: Response,
	isAddressWrong: boolean,
): string | undefined {
	const known = ACCESS_TOKEN_SENTENCES[status];
	if (known !== undefined) return known;
	if (status >= 300) return describe(parseErrorResponse({ status, headers, body }, Date.now()));
	return isAddressWrong ? NOT_THE_API : undefined;
}

function describe(failure: Failure): string {
	return sentencesOf(describeFailure(failure, testRequest));
}

/** n8n shows the result of a test as one text. */
function sentencesOf({ message, description }: InputError | ServiceError): string {
	return `${message}. ${description}`;
}

function result(
	status: INodeCredentialTestResult['status'],
	message: string,
): INodeCredentialTestResult {
	return { status, message };
}
