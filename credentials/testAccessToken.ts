import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { describeFailure, InputError } from '../nodes/Supercast/api/errors/errors';
import { normalizeBaseUrl } from '../nodes/Supercast/api/http/address';
import {
	parseErrorResponse,
	parseThrownError,
} from '../nodes/Supercast/api/http/parseErrorResponse';
import { isRecord, textOf } from '../nodes/Supercast/api/json';
import type { ApiRequest, Failure } from '../nodes/Supercast/api/types';
import { ACCESS_TOKEN_SENTENCES, NOT_THE_API } from './testRules';

/** A person waits for the result. */
const TIMEOUT_MS = 30_000;

const request: ApiRequest = {
	method: 'GET',
	path: ['channel'],
	subject: { text: 'channel', isRecord: false },
};

/**
 * The test of a manual access token. It reads the channel, as that of OAuth2 does. n8n's own test
 * would show only a code such as ENOTFOUND if there is no response.
 */
export async function testAccessToken(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	try {
		const { statusCode, headers, body } = (await helpers.request({
			uri: `${normalizeBaseUrl(data.baseUrl)}/channel`,
			headers: { Authorization: `Bearer ${textOf(data.accessToken).trim()}` },
			json: true,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
			timeout: TIMEOUT_MS,
		})) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
		const known = ACCESS_TOKEN_SENTENCES[statusCode];
		if (known !== undefined) return failed(known);
		if (statusCode >= 300) {
			return described(parseErrorResponse({ status: statusCode, headers, body }, Date.now()));
		}
		if (!isRecord(body)) return failed(NOT_THE_API);
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		if (error instanceof InputError) return failed(`${error.message}. ${error.description}`);
		return described(parseThrownError(error, Date.now()));
	}
}

function described(failure: Failure): INodeCredentialTestResult {
	const { message, description } = describeFailure(failure, request);
	return failed(`${message}. ${description}`);
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
