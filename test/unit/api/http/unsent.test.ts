import { connect } from 'node:net';

import { request } from '../retry/simulatedService';
import { parseThrownError } from '../../../../nodes/Supercast/api/http/parseErrorResponse';
import { decide } from '../../../../nodes/Supercast/api/retry/retryPolicy';

/** An error in the form of n8n's request helper. */
function thrown(inner: object): object {
	return { name: 'NodeApiError', cause: { name: 'AxiosError', ...inner } };
}

/** What is known about a delete after such an error. */
function afterDelete(error: object) {
	const state = { maybeProcessed: false, foreignResponses: 0, mayBeHidden: false };
	const decision = decide(parseThrownError(thrown(error), 0), request('DELETE'), state);
	expect(decision.action).toBe('repeat');
	return decision;
}

describe('a connection that was never made', () => {
	it.each(['ENETUNREACH', 'EHOSTUNREACH', 'ETIMEDOUT'])('with %s sent nothing', (code) => {
		const one = { code, syscall: 'connect' };
		const several = { code, errors: [one, { code: 'ENETUNREACH', syscall: 'connect' }] };
		for (const error of [one, several, { code, cause: one }, { code, cause: several }]) {
			expect(afterDelete(error).maybeProcessed).toBe(false);
		}
	});

	it('is not one that broke, since Supercast may have read everything', () => {
		for (const code of ['ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH']) {
			expect(afterDelete({ code, syscall: 'read' }).maybeProcessed).toBe(true);
			expect(afterDelete({ code }).maybeProcessed).toBe(true);
		}
	});

	it('has the words that Node uses', async () => {
		const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
			connect({ host: '127.0.0.1', port: 1 }).once('error', resolve);
		});
		expect(error.syscall).toBe('connect');
	});
});
