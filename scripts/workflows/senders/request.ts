import type { Part } from '../parts';

/** Calls a sender's API. Any status passes if the code after it reads the status. */
export function ask(
	name: string,
	at: Part['at'],
	url: string,
	parameters: Record<string, unknown>,
): Part {
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		version: 4.2,
		at,
		parameters: { url, ...parameters },
	};
}

/** The whole response, with its status, whatever the status is. */
export const anyStatus = { response: { response: { fullResponse: true, neverError: true } } };

/** The query of a request. */
export const query = (parameters: Record<string, string>) => ({
	sendQuery: true,
	queryParameters: {
		parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
	},
});
