import type { IHttpRequestOptions } from 'n8n-workflow';

import { SupercastApi } from '../../../credentials/SupercastApi.credentials';

const credential = { accessToken: ' a-token ', baseUrl: 'https://supercast.tech/api/v1' };

async function sign(request: Partial<IHttpRequestOptions> & { uri?: string }) {
	return await new SupercastApi().authenticate(credential, request as IHttpRequestOptions);
}

describe('the access token', () => {
	it.each([
		[{ url: 'https://supercast.tech/api/v1/channel' }],
		[{ url: 'http://localhost:5000/api/v1/channel' }],
		[{ url: 'http://127.0.0.1:5000/v1' }],
		[{ url: '/channel', baseURL: 'https://supercast.tech/api/v1' }],
		[{ uri: 'https://supercast.tech/api/v1/channel' }],
		[{ url: ' HTTPS://supercast.tech/api/v1/channel' }],
	])('is added to %j', async (request) => {
		const { headers } = await sign({ ...request, headers: { a: '1' } });
		expect(headers).toEqual({ a: '1', Authorization: 'Bearer a-token' });
	});

	it.each([
		[{ url: 'http://supercast.tech/api/v1/channel' }],
		[{ url: ' HTTP://supercast.tech' }],
		[{ uri: 'http://supercast.tech/api/v1/channel' }],
		[{ url: '/channel', baseURL: 'http://supercast.tech/api/v1' }],
		[{ url: 'http://supercast.tech/x', baseURL: 'https://supercast.tech/api/v1' }],
		[{ url: '//supercast.tech/x', baseURL: 'http://other.example' }],
		[{ url: 'http://127.0.0.1.example.com/v1' }],
		[{ url: 'supercast.tech/api/v1' }],
		[{ url: 'ftp://supercast.tech/api/v1' }],
		[{}],
	])('is never added to %j', async (request) => {
		const signed = sign(request);
		await expect(signed).rejects.toThrow(/not secure|not a web address/);
		expect(JSON.stringify(request)).not.toContain('a-token');
	});

	it('is never added if the Base URL is missing or not secure', async () => {
		const request = { url: 'https://supercast.tech/x' } as IHttpRequestOptions;
		for (const baseUrl of [undefined, '', 'http://supercast.tech']) {
			const signed = new SupercastApi().authenticate({ ...credential, baseUrl: baseUrl! }, request);
			await expect(signed).rejects.toThrow(/'Base URL' is not/);
		}
	});
});
