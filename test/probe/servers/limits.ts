import { headers, refused } from './edits';
import type { Server } from './server';

export const limits = (
	[
		{
			name: 'the token may not read the channel',
			edit: refused('GET', /\/channel$/, 403),
			seen: {
				'token-required': '403, JSON',
				'both-paths': '403, JSON under the other path',
				'date-header': 'no date',
			},
		},
		{
			name: 'no limit',
			options: { rateLimit: 0 },
			seen: {
				'rate-limit': 'no 429 in 158 requests within a minute',
				'retry-after': '? there was no 429',
			},
		},
		{
			name: 'a lower limit',
			options: { rateLimit: 60 },
			seen: { 'rate-limit': '? 429 after 60, perhaps because of other apps' },
		},
		{
			name: 'a slow server without a limit',
			options: { rateLimit: 0 },
			prepare: ({ sandbox, runtime }) => ({
				sandbox,
				runtime: {
					...runtime,
					fetch: async (url, init) => {
						await runtime.sleep(900);
						return await runtime.fetch(url, init);
					},
				},
			}),
			seen: {
				'rate-limit': '? no 429 in 66 requests within a minute, too few to tell',
				'retry-after': '? there was no 429',
			},
		},
		{
			name: 'no Retry-After',
			options: { retryAfter: 'absent' },
			seen: { 'retry-after': 'no Retry-After' },
		},
		{
			name: 'an odd Retry-After',
			edit: headers(/./, (own) => own.has('retry-after') && own.set('retry-after', 'soon')),
			seen: { 'retry-after': 'another form' },
		},
	] as Server[]
).map((server): Server => ({ ...server, part: 'limit' }));
