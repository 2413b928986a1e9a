import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import type { resources } from '../../nodes/Supercast/resources';

type Records = Pick<Sandbox, 'state'>;

/** How one operation is tried: on two items that succeed with one between that does not. */
export interface OperationCase {
	/** Parameters, with expressions on the items. */
	parameters: INodeParameters;
	/** What has to be so before. */
	prepare?: (sandbox: Sandbox) => Promise<void>;
	/** The items that succeed, made from what the sandbox holds at the start. */
	items: (sandbox: Sandbox) => [IDataObject, IDataObject];
	/** The item that fails, and what its error says. */
	failing?: { item: IDataObject; error: RegExp };
	/** What the sandbox holds of an item, looked at before and after. */
	witness: (sandbox: Records, item: IDataObject) => unknown;
	/** What the witness must see afterwards; the same as before when left out. */
	after?: (item: IDataObject) => unknown;
	/** What an item leads to. */
	output: (item: IDataObject) => IDataObject;
}

type Cases = {
	[Resource in keyof typeof resources]: Record<
		keyof (typeof resources)[Resource]['operations'],
		OperationCase
	>;
};

const byEmail = { __rl: true, mode: 'email', value: '={{ $json.email }}' };
const byId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
const noPerson = { item: { email: 'nobody@example.com' }, error: /no .* "nobody@example.com"/ };
const noRecord = { item: { id: '987654' }, error: /no .* "987654"/ };
const limited = { returnAll: false, limit: '={{ $json.limit }}' };
const badLimit = { item: { limit: 0 }, error: /'Limit' is not a number/ };
const badJson = {
	item: { other: '{ nope' },
	error: /'Other Fields \(JSON\)' is not a JSON object/,
};

function two<T>(
	records: readonly T[],
	pick: (record: T) => IDataObject,
): [IDataObject, IDataObject] {
	const [first, second] = records;
	if (first === undefined || second === undefined) throw new Error('too few records');
	return [pick(first), pick(second)];
}

const people = ({ state }: Sandbox) => two(state.subscribers, ({ email }) => ({ email }));
async function suspendPeople(sandbox: Sandbox): Promise<void> {
	for (const { email } of people(sandbox)) {
		await fetch(`${sandbox.baseUrl}/feeds/${encodeURIComponent(String(email))}`, {
			method: 'PATCH',
			headers: {
				authorization: `Bearer ${sandbox.accessToken}`,
				'content-type': 'application/json',
			},
			body: JSON.stringify({ feed_token: { state: 'suspended' } }),
		});
	}
}
const creators = ({ state }: Sandbox) => two(state.creators, ({ email }) => ({ email }));
const ids =
	(records: (sandbox: Sandbox) => ReadonlyArray<{ id: string | number }>) => (sandbox: Sandbox) =>
		two(records(sandbox), ({ id }) => ({ id: String(id) }));
const has = (records: ReadonlyArray<{ id: string | number }>, item: IDataObject) =>
	records.some((record) => String(record.id) === item.id);
const newPeople = (): [IDataObject, IDataObject] => [
	{ email: 'new.one@example.com' },
	{ email: 'ñew+two@example.com' },
];
const malformed = { item: { email: 'not an address' }, error: /not an email address/ };
const found = ({ state }: Records, { email }: IDataObject) =>
	state.subscriber(String(email)) !== undefined;
const foundCreator = ({ state }: Records, { email }: IDataObject) =>
	state.creators.some((creator) => creator.email === email);
const stateOf = ({ state }: Records, { email }: IDataObject) =>
	state.subscriber(String(email))?.state;

function listCase(count: (sandbox: Records) => number): OperationCase {
	return {
		parameters: limited,
		items: () => [{ limit: 1 }, { limit: 1 }],
		failing: badLimit,
		witness: count,
		output: () => ({}),
	};
}

/** A case for every operation: one that is forgotten does not compile. */
export const cases: Cases = {
	channel: {
		get: {
			parameters: {},
			items: () => [{}, {}],
			witness: ({ state }) => state.channel.title,
			output: () => ({ subdomain: expect.any(String) }),
		},
		update: {
			parameters: { updateFields: { otherFields: '={{ $json.other }}' } },
			items: () => [{ other: '{ "title": "Renamed" }' }, { other: '{ "title": "Renamed" }' }],
			failing: badJson,
			witness: ({ state }) => state.channel.title,
			after: () => 'Renamed',
			output: () => ({ title: 'Renamed' }),
		},
	},
	creator: {
		create: {
			parameters: { email: '={{ $json.email }}', additionalFields: { firstName: 'Ann' } },
			items: newPeople,
			failing: malformed,
			witness: foundCreator,
			after: () => true,
			output: ({ email }) => ({ email, first_name: 'Ann' }),
		},
		delete: {
			parameters: { creator: byEmail },
			items: creators,
			failing: noPerson,
			witness: foundCreator,
			after: () => false,
			output: ({ email }) => ({ deleted: true, email }),
		},
		get: {
			parameters: { creator: byEmail },
			items: creators,
			failing: noPerson,
			witness: foundCreator,
			output: ({ email }) => ({ email }),
		},
		getAll: listCase(({ state }) => state.creators.length),
		update: {
			parameters: { creator: byEmail, updateFields: { lastName: 'Changed' } },
			items: creators,
			failing: noPerson,
			witness: ({ state }, { email }) =>
				state.creators.find((creator) => creator.email === email)?.last_name,
			after: () => 'Changed',
			output: ({ email }) => ({ email, last_name: 'Changed' }),
		},
	},
	episode: {
		create: {
			parameters: {
				title: '={{ $json.title }}',
				additionalFields: { explicit: 'yes', publishedAt: '2026-03-01T10:00:00' },
			},
			items: () => [{ title: 'One' }, { title: 'Two' }],
			failing: { item: { title: '' }, error: /'Title' is empty/ },
			witness: ({ state }, { title }) =>
				state.episodes.find((episode) => episode.title === title)?.explicit,
			after: () => 'yes',
			output: ({ title }) => ({ title }),
		},
		delete: {
			parameters: { episode: byId },
			items: ids(({ state }) => state.episodes),
			failing: noRecord,
			witness: ({ state }, item) => has(state.episodes, item),
			after: () => false,
			output: ({ id }) => ({ deleted: true, id }),
		},
		get: {
			parameters: { episode: byId },
			items: ids(({ state }) => state.episodes),
			failing: noRecord,
			witness: ({ state }, item) => has(state.episodes, item),
			output: ({ id }) => ({ id: Number(id) }),
		},
		getAll: listCase(({ state }) => state.episodes.length),
		update: {
			parameters: { episode: byId, updateFields: { summary: 'Changed' } },
			items: ids(({ state }) => state.episodes),
			failing: noRecord,
			witness: ({ state }, { id }) =>
				state.episodes.find((episode) => String(episode.id) === id)?.summary,
			after: () => 'Changed',
			output: ({ id }) => ({ id: Number(id), summary: 'Changed' }),
		},
	},
	feed: {
		activate: {
			parameters: { subscriber: byEmail },
			prepare: suspendPeople,
			items: people,
			failing: noPerson,
			witness: stateOf,
			after: () => 'available',
			output: () => ({ state: 'available' }),
		},
		deactivate: {
			parameters: { subscriber: byEmail },
			items: people,
			failing: noPerson,
			witness: stateOf,
			after: () => 'deactivated',
			output: () => ({}),
		},
		get: {
			parameters: { subscriber: byEmail },
			items: people,
			failing: noPerson,
			witness: stateOf,
			output: () => ({ state: expect.any(String) }),
		},
		suspend: {
			parameters: { subscriber: byEmail },
			items: people,
			failing: noPerson,
			witness: stateOf,
			after: () => 'suspended',
			output: () => ({ state: 'suspended' }),
		},
	},
	invite: {
		delete: {
			parameters: { invite: byId },
			items: ids(({ state }) => state.invites),
			failing: noRecord,
			witness: ({ state }, item) => has(state.invites, item),
			after: () => false,
			output: ({ id }) => ({ deleted: true, id }),
		},
		getAll: listCase(({ state }) => state.invites.length),
	},
	question: {
		create: {
			parameters: { title: '={{ $json.title }}', additionalFields: { body: 'At length' } },
			items: () => [{ title: 'Why?' }, { title: 'How?' }],
			failing: { item: { title: ' ' }, error: /'Title' is empty/ },
			witness: ({ state }, { title }) =>
				state.questions.find((question) => question.title === title)?.body,
			after: () => 'At length',
			output: ({ title }) => ({ title, body: 'At length' }),
		},
		getAll: listCase(({ state }) => state.questions.length),
	},
	role: {
		create: {
			parameters: { additionalFields: { otherFields: '={{ $json.other }}' } },
			items: () => [{ other: '{ "title": "Editor" }' }, { other: '{ "title": "Host" }' }],
			failing: badJson,
			witness: ({ state }, { other }) =>
				state.roles.some(({ title }) => String(other).includes(`"${title}"`)),
			after: () => true,
			output: ({ other }) => JSON.parse(String(other)) as IDataObject,
		},
		delete: {
			parameters: { role: byId },
			items: ids(({ state }) => state.roles),
			failing: noRecord,
			witness: ({ state }, item) => has(state.roles, item),
			after: () => false,
			output: ({ id }) => ({ deleted: true, id }),
		},
		get: {
			parameters: { role: byId },
			items: ids(({ state }) => state.roles),
			failing: noRecord,
			witness: ({ state }, item) => has(state.roles, item),
			output: ({ id }) => ({ id: Number(id) }),
		},
		getAll: listCase(({ state }) => state.roles.length),
		update: {
			parameters: { role: byId, updateFields: { otherFields: '{ "description": "Changed" }' } },
			items: ids(({ state }) => state.roles),
			failing: noRecord,
			witness: ({ state }, { id }) =>
				state.roles.find((role) => String(role.id) === id)?.description,
			after: () => 'Changed',
			output: () => ({ description: 'Changed' }),
		},
	},
	subscriber: {
		create: {
			parameters: { email: '={{ $json.email }}', additionalFields: { customerId: 'c-1' } },
			items: newPeople,
			failing: malformed,
			witness: found,
			after: () => true,
			output: ({ email }) => ({ email, customer_id: 'c-1' }),
		},
		delete: {
			parameters: { subscriber: byEmail },
			items: people,
			failing: noPerson,
			witness: found,
			after: () => false,
			output: ({ email }) => ({ deleted: true, email }),
		},
		get: {
			parameters: { subscriber: byEmail },
			items: people,
			failing: noPerson,
			witness: found,
			output: ({ email }) => ({ email }),
		},
		getAll: listCase(({ state }) => state.subscribers.length),
		update: {
			parameters: { subscriber: byEmail, updateFields: { ignoreUsageAlerts: true } },
			items: people,
			failing: noPerson,
			witness: ({ state }, { email }) => state.subscriber(String(email))?.ignore_usage_alerts,
			after: () => true,
			output: ({ email }) => ({ email }),
		},
		upsert: {
			parameters: { email: '={{ $json.email }}', additionalFields: { firstName: 'Ann' } },
			items: (sandbox) => [people(sandbox)[0], newPeople()[0]],
			failing: malformed,
			witness: ({ state }, { email }) => state.subscriber(String(email))?.first_name,
			after: () => 'Ann',
			output: ({ email }) => ({ email, first_name: 'Ann' }),
		},
	},
	usageAlert: {
		dismiss: {
			parameters: { usageAlert: byId },
			items: ids(({ state }) => state.usageAlerts),
			failing: noRecord,
			witness: ({ state }, item) => has(state.usageAlerts, item),
			after: () => false,
			output: () => ({}),
		},
		getAll: listCase(({ state }) => state.usageAlerts.length),
		ignore: {
			parameters: { usageAlert: byId },
			items: ids(({ state }) => state.usageAlerts),
			failing: noRecord,
			witness: ({ state }, item) => has(state.usageAlerts, item),
			after: () => false,
			output: () => ({}),
		},
		suspend: {
			parameters: { usageAlert: byId },
			items: ids(({ state }) => state.usageAlerts),
			failing: noRecord,
			witness: ({ state }, item) => has(state.usageAlerts, item),
			after: () => false,
			output: () => ({}),
		},
	},
};
