import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { VirtualClock } from '../support/virtualClock';
import { type Answer, fieldsOf, pathOf, type Request, SimulatedSupercast } from './supercast';

const LATENCY_MS = 40;

/** The simulated Supercast in place of n8n's request helper, on a virtual clock. */
export abstract class HelperSupercast extends SimulatedSupercast {
	constructor(protected override readonly clock: VirtualClock) {
		super(clock);
	}

	/** What comes back, or throws what n8n throws if nothing does. */
	protected abstract respond(request: Request): Answer;

	/** Responds as n8n's request helper does. */
	async answer(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		await this.clock.sleep(LATENCY_MS);
		const { method = 'GET', url, body: sent, headers } = options;
		const key: unknown = headers?.['Idempotency-Key'];
		const request = { method, path: pathOf(url), fields: fieldsOf(sent), key };
		const { status: statusCode, body } = this.respond(request);
		return {
			statusCode,
			body: structuredClone(body),
			headers: {},
		} as unknown as IN8nHttpFullResponse;
	}
}

/** An error of n8n for a connection that broke, or was never made. */
export function networkError(code: string): Error {
	return Object.assign(new Error('by n8n'), { cause: { code } });
}
