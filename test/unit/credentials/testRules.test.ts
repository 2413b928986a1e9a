import { SupercastApi } from '../../../credentials/SupercastApi.credentials';
import { SupercastOAuth2Api } from '../../../credentials/SupercastOAuth2Api.credentials';

const types = [new SupercastApi(), new SupercastOAuth2Api()];

/**
 * Possible responses of a wrong host: a redirect, another site's page, or that the token is
 * unknown.
 */
const OF_A_WRONG_HOST = [301, 302, 307, 308, 401, 403, 404];

describe.each(types)('the test of $displayName', ({ test: { rules = [] }, properties }) => {
	const sentences = new Map(rules.map(({ properties: rule }) => [rule.value, rule.message]));

	it.each(OF_A_WRONG_HOST)('names both hosts after a %i', (status) => {
		expect(sentences.get(status)).toContain(' https://supercast.tech/api/v1,');
		expect(sentences.get(status)).toContain(' https://your-channel.supercast.tech/api/v1.');
	});

	it('names both hosts for a web page', () => {
		const pages = rules.filter(({ type }) => type === 'responseSuccessBody');
		expect(pages.length).toBeGreaterThan(0);
		for (const { properties: rule } of pages) expect(rule.message).toBe(sentences.get(404));
	});

	it('distinguishes a redirect, a wrong address, a wrong token and a wrong channel', () => {
		const told = [301, 404, 401, 403].map((status) => sentences.get(status));
		expect(new Set(told).size).toBe(4);
	});

	it('explains both hosts at the field for the address', () => {
		const field = properties.find(({ name }) => name === 'baseUrl');
		expect(field?.default).toBe('https://supercast.tech/api/v1');
		expect(field?.placeholder).toContain('https://your-channel.supercast.tech/api/v1');
		expect(field?.description).toMatch(/shared address or your channel's own/);
	});
});
