import { SupercastApi } from '../../../credentials/SupercastApi.credentials';
import { SupercastOAuth2Api } from '../../../credentials/SupercastOAuth2Api.credentials';
import {
	ACCESS_TOKEN_SENTENCES,
	NOT_THE_API,
} from '../../../nodes/Supercast/api/auth/testSentences';

const { rules = [] } = new SupercastOAuth2Api().test;
const tests = [
	[new SupercastApi(), new Map(Object.entries(ACCESS_TOKEN_SENTENCES))],
	[
		new SupercastOAuth2Api(),
		new Map(rules.map(({ properties: rule }) => [String(rule.value), rule.message])),
	],
] as const;

/**
 * Possible responses of a wrong host: a redirect, another site's page, or that the token is
 * unknown.
 */
const OF_A_WRONG_HOST = [301, 302, 307, 308, 401, 403, 404];

describe.each(tests)('the test of %p', ({ properties }, sentences) => {
	it.each(OF_A_WRONG_HOST)('names both hosts after a %i', (status) => {
		expect(sentences.get(String(status))).toContain(' https://supercast.tech/api/v1,');
		expect(sentences.get(String(status))).toContain(' https://your-channel.supercast.tech/api/v1.');
	});

	it('distinguishes a redirect, a wrong address, a wrong token and a wrong channel', () => {
		const told = [301, 404, 401, 403].map((status) => sentences.get(String(status)));
		expect(new Set(told).size).toBe(4);
	});

	it('explains both hosts at the field for the address', () => {
		const field = properties.find(({ name }) => name === 'baseUrl');
		expect(field?.default).toBe('https://supercast.tech/api/v1');
		expect(field?.placeholder).toContain('https://your-channel.supercast.tech/api/v1');
		expect(field?.description).toMatch(/shared address or your channel's own/);
	});
});

it('the test of OAuth2 names both hosts for a web page', () => {
	const pages = rules.filter(({ type }) => type === 'responseSuccessBody');
	expect(pages.length).toBeGreaterThan(0);
	for (const { properties: rule } of pages) expect(rule.message).toBe(NOT_THE_API);
	expect(NOT_THE_API).toBe(ACCESS_TOKEN_SENTENCES[404]);
});
