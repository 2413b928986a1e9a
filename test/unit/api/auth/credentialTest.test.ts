import { Workflow } from 'n8n-workflow';

import { oAuth2Test } from '../../../../credentials/oAuth2Test';
import { normalizeBaseUrl, readSubdomain } from '../../../../nodes/Supercast/api/http/address';

/** What n8n makes of an expression in the test of a credential. */
function valueOf(expression: unknown, $credentials: Record<string, string>): unknown {
	const nodeTypes = {
		getByName: () => ({}),
		getByNameAndVersion: () => ({}),
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		nodes: [],
		connections: {},
		active: false,
		nodeTypes: nodeTypes as never,
	});
	return workflow.expression.getSimpleParameterValue(
		{ name: 'x', typeVersion: 1, type: 'x', id: 'x', position: [0, 0], parameters: {} },
		expression as string,
		'internal',
		{ $credentials },
	);
}

const { baseURL, qs } = oAuth2Test.request;

describe('the test of an OAuth2 connection', () => {
	it.each([
		'https://supercast.tech/api/v1',
		' https://supercast.tech/api/v1/ ',
		'https://supercast.tech/api/v1/subscribers',
		'https://supercast.tech/api/v1/episodes/17/',
		'http://127.0.0.1:8080/api/v1',
	])('reads the address as the node does: %s', (baseUrl) => {
		expect(valueOf(baseURL, { baseUrl })).toBe(normalizeBaseUrl(baseUrl));
	});

	it.each(['demo', ' Demo ', 'demo.supercast.tech', 'https://Demo.supercast.com/api/v1?x', ''])(
		'reads the subdomain as the node does: %j',
		(subdomain) => {
			const read = valueOf((qs as Record<string, string>).subdomain, { subdomain });
			expect(read ?? '').toBe(readSubdomain(subdomain));
		},
	);
});
