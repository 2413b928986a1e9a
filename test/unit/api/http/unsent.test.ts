import { connect } from 'node:net';

import { readFailure } from '../../../../nodes/Supercast/api/http/parseErrorResponse';
import { judge } from '../../../../nodes/Supercast/api/retry/retryPolicy';

/** An error as n8n's request helper throws it. */
function thrown(inner: object): object {
	return { name: 'NodeApiError', cause: { name: 'AxiosError', ...inner } };
}

describe('a connection that did not come about', () => {
	it.each(['ENETUNREACH', 'EHOSTUNREACH', 'ETIMEDOUT'])('with %s sent nothing', (code) => {
		const one = { code, syscall: 'connect' };
		const several = { code, errors: [one, { code: 'ENETUNREACH', syscall: 'connect' }] };
		for (const error of [one, several, { code, cause: one }, { code, cause: several }]) {
			expect(judge(readFailure(thrown(error), 0))).toBe('untouched');
		}
	});

	it('is not one that broke, of which the service may have read everything', () => {
		for (const code of ['ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH']) {
			expect(judge(readFailure(thrown({ code, syscall: 'read' }), 0))).toBe('unknown');
			expect(judge(readFailure(thrown({ code }), 0))).toBe('unknown');
		}
	});

	it('says so in words that Node uses', async () => {
		const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
			connect({ host: '127.0.0.1', port: 1 }).once('error', resolve);
		});
		expect(error.syscall).toBe('connect');
	});
});
