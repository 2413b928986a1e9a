import type { Part } from '../parts';

/** An HTTP request. An error status stops the workflow, unless the options set `neverError`. */
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

/** Options that return the whole response, including its status, even for an error status. */
export const anyStatus = { response: { response: { fullResponse: true, neverError: true } } };

/** The query of a request. */
export const query = (parameters: Record<string, string>) => ({
	sendQuery: true,
	queryParameters: {
		parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
	},
});
