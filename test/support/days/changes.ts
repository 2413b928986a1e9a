import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../simulators/supercast';
import {
	answered,
	withAnswers,
	instead,
	withRecords,
	type PassedRequest,
	type Twist,
} from './proxy';

const is =
	(method: string, collection: string) =>
	({ method: own, path }: PassedRequest): boolean =>
		own === method && path[0] === collection;

const isFeedChange = is('PATCH', 'feeds');
const isCreate = is('POST', 'subscribers');
const isDelete = is('DELETE', 'subscribers');

function sentState({ body }: PassedRequest): unknown {
	const json = JSON.parse(body) as IDataObject;
	const fields = (json.feed ?? json) as IDataObject;
	return fields.state === 'inactive' ? 'deactivated' : fields.state;
}

/** Creates subscribers in another state. */
const createdAs =
	(state: 'deactivated' | 'pending'): Twist =>
	async (asked, forward, sandbox) => {
		const answer = await forward(asked);
		if (!isCreate(asked) || answer.status >= 300) return answer;
		const made = sandbox.state.subscribers.at(-1);
		if (made !== undefined) sandbox.controls.setState(made.email, state);
		const body = answer.body as IDataObject;
		const subscriptions = (body.subscriptions as IDataObject[]).map((one) => ({ ...one, state }));
		return { ...answer, body: { ...body, state, subscriptions } };
	};

/** Feed changes take effect after a while. */
const lateBy =
	(ms: number): Twist =>
	async (asked, forward) => {
		if (!isFeedChange(asked)) return await forward(asked);
		setTimeout(() => void forward(asked).catch(() => undefined), ms);
		return { status: 202, headers: {}, body: undefined };
	};

function shownState(asked: PassedRequest, sandbox: Sandbox): unknown {
	const held = sandbox.state.subscribers.find((one) =>
		[one.email, one.uuid].includes(asked.path[1] ?? ''),
	);
	return { ...held, state: sentState(asked) };
}

/** Services whose changes differ. */
export const servicesWithChanges: Array<[string, Twist]> = [
	['a feed change is answered with {}', answered(isFeedChange, 200, {})],
	[
		'a feed change is answered with words',
		answered(isFeedChange, 200, { message: 'Feed updated' }),
	],
	['a feed change is answered with true', answered(isFeedChange, 200, true)],
	['feed changes are ignored without a body', instead(isFeedChange, 204)],
	['feed changes are ignored with {}', instead(isFeedChange, 200, () => ({}))],
	['feed changes are ignored, and shown once', instead(isFeedChange, 200, shownState)],
	['feed changes are made, but fail with 500', answered(isFeedChange, 500, { message: 'No' })],
	['feed changes take effect after 20 ms', lateBy(20)],
	['feed changes take effect after 2 s', lateBy(2_000)],
	[
		'feeds are not found by email',
		instead((asked) => isFeedChange(asked) && asked.path[1]?.includes('@') === true, 404),
	],
	['a new subscriber is closed', createdAs('deactivated')],
	['a new subscriber is pending', createdAs('pending')],
	['a create is answered with words', answered(isCreate, 202, { message: 'Accepted' })],
	['a create is made, but fails with 502', answered(isCreate, 502, { message: 'Bad gateway' })],
	['creates are ignored without a body', instead(isCreate, 201)],
	['deletes are ignored', instead(isDelete, 200, () => ({}))],
	['deletes are ignored with 204', instead(isDelete, 204)],
	['a delete is made, but fails with 500', answered(isDelete, 500, { message: 'No' })],
	[
		'usage alerts have no ID',
		withRecords(
			(row) => ({ ...row, id: undefined }),
			({ path }) => path[0] === 'usage_alerts',
		),
	],
	[
		'updates are ignored',
		instead(is('PATCH', 'subscribers'), 200, (asked, sandbox) => ({
			...sandbox.state.subscribers.find(({ uuid, email }) =>
				[uuid, email].includes(asked.path[1] ?? ''),
			),
		})),
	],
	[
		'a success has the status 203',
		withAnswers((answer) => (answer.status === 200 ? { ...answer, status: 203 } : answer)),
	],
];
