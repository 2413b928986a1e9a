/**
 * A simulated Supercast that may or may not make a requested change. Its answer may be true, false,
 * unreadable or missing. It never tells a perfect lie, because no client could detect one.
 */

import fc from 'fast-check';

import type { VirtualClock } from '../support/virtualClock';
import { HelperSupercast, networkError } from './helperSupercast';
import { type Answer, MISSING, type Request } from './supercast';

/** What it does with one request, and what it says about it. */
export interface Step {
	/** Whether it makes the change. */
	does: boolean;
	says:
		| 'cut'
		| 'empty'
		| 'error'
		| 'lost'
		| 'missing'
		| 'nothing'
		| 'other'
		| 'page'
		| 'truth'
		| 'words';
}

/** Steps of a service. Most of its responses are true. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.record({
		does: fc.boolean(),
		says: fc.oneof(
			{ weight: 2, arbitrary: fc.constant('truth' as const) },
			{
				weight: 3,
				arbitrary: fc.constantFrom(
					...(['cut', 'empty', 'error', 'lost', 'missing', 'nothing', 'other', 'page'] as const),
					'words' as const,
				),
			},
		),
	}),
	{ maxLength: 6 },
);

const BOB = {
	uuid: 'u-bob',
	email: 'bob@example.com',
	id: '99',
	title: 'Other',
	state: 'available',
};

/** What it says to any request, whether or not it makes the change. */
const UNREADABLE: Partial<Record<Step['says'], Answer>> = {
	cut: { status: 200, body: '{ "id": ' },
	page: { status: 502, body: '<html>Bad gateway</html>' },
	error: { status: 200, body: { error: 'busy' } },
};

/** What it says instead of the record that it has changed. */
const SILENT: Partial<Record<Step['says'], Answer>> = {
	nothing: { status: 204 },
	empty: { status: 200, body: {} },
	words: { status: 200, body: { message: 'Accepted' } },
};

/** The simulated Supercast. Its requests meet the steps one after the other. */
export class DoubtfulSupercast extends HelperSupercast {
	readonly answers: string[] = [];

	constructor(
		clock: VirtualClock,
		private readonly plan: Step[],
		override lagMs = 0,
	) {
		super(clock);
	}

	protected respond(request: Request): Answer {
		const { method, path } = request;
		const { does, says } = this.plan.shift() ?? { does: true, says: 'truth' };
		this.answers.push(`${method} ${path.join('/')} ${does} ${says}`);
		const truth = method === 'GET' || does ? this.process(request) : this.refusal(request);
		if (says === 'lost') throw networkError('ECONNRESET');
		return UNREADABLE[says] ?? lieOf(says, does, request, truth) ?? truth;
	}

	/** What a truthful service says when it did not make the change. */
	private refusal({ method, path: [resource = '', name = ''] }: Request): Answer {
		const found = this.find(name, resource);
		if (method !== 'PATCH' || found === undefined || resource === 'usage_alerts') {
			return { status: 422, body: { message: 'Not now' } };
		}
		return { status: 200, body: found };
	}
}

/**
 * What it says instead of the truth, if a client can detect that. To claim that a record is missing,
 * or that a change was made, would be a perfect lie.
 */
function lieOf(
	says: Step['says'],
	does: boolean,
	request: Request,
	{ status, body }: Answer,
): Answer | undefined {
	const isRead = request.method === 'GET';
	if (says === 'missing') return isRead || does ? undefined : MISSING;
	if (status >= 300) return undefined;
	if (says === 'other') return Array.isArray(body) ? undefined : { status: 200, body: BOB };
	return !isRead && (does || isChecked(request)) ? SILENT[says] : undefined;
}

/** Whether a client reads the record after a response to this change that does not show it. */
function isChecked({ method, path }: Request): boolean {
	return method === 'POST' || path[0] === 'feeds';
}
