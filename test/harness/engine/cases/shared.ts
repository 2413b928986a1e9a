import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { resources } from '../../../../nodes/Supercast/resources';
import type { Sandbox } from '../../../../simulators/supercast';

export type Records = Pick<Sandbox, 'state'>;

/** How to test one operation: with two items that succeed, and between them one that fails. */
export interface OperationCase {
	/** Parameters, with expressions that read the items. */
	parameters: INodeParameters;
	/** What to set up first. */
	prepare?: (sandbox: Sandbox) => Promise<void>;
	/** The items that succeed, made from the sandbox's initial data. */
	items: (sandbox: Sandbox) => [IDataObject, IDataObject];
	/** Additional items, whose outputs show more of what the fields can contain. */
	more?: (sandbox: Sandbox) => IDataObject[];
	/** The item that fails, and the text of its error. */
	failing?: { item: IDataObject; error: RegExp };
	/** The sandbox's data about an item, before and after the run. */
	witness: (sandbox: Records, item: IDataObject) => unknown;
	/** What the witness must show after the run. The default is no change. */
	after?: (item: IDataObject) => unknown;
	/** The output of an item. */
	output: (item: IDataObject) => IDataObject;
	/** The output if the response to a write request has no body. If omitted, any output passes. */
	outputWithoutBody?: (item: IDataObject) => IDataObject;
	/** Whether the simulated Supercast has this operation. The default is true. */
	exists?: (sandbox: Sandbox) => boolean;
}

/** A case for every operation of every resource that runs once per item. */
export type Cases = {
	[Resource in keyof typeof resources]: Record<
		Exclude<keyof (typeof resources)[Resource]['operations'], 'sync'>,
		OperationCase
	>;
};

export const byEmail = { __rl: true, mode: 'email', value: '={{ $json.email }}' };
export const byId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
export const noPerson = {
	item: { email: 'nobody@example.com' },
	error: /no .* "nobody@example.com"/,
};
export const noRecord = { item: { id: '987654' }, error: /no .* "987654"/ };
const limited = { returnAll: false, limit: '={{ $json.limit }}' };
const badLimit = { item: { limit: 0 }, error: /'Limit' must be a number/ };
export const badJson = {
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

export const people = ({ state }: Sandbox) => two(state.subscribers, ({ email }) => ({ email }));
export async function suspendPeople(sandbox: Sandbox): Promise<void> {
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
export const creators = ({ state }: Sandbox) => two(state.creators, ({ email }) => ({ email }));
export const ids =
	(records: (sandbox: Sandbox) => ReadonlyArray<{ id: string | number }>) => (sandbox: Sandbox) =>
		two(records(sandbox), ({ id }) => ({ id: String(id) }));
/** Matches an identifier in any format. */
export const sameId = (id: unknown): IDataObject[string] => ({
	asymmetricMatch: (other: unknown) => String(other) === String(id),
});
export const has = (records: ReadonlyArray<{ id: string | number }>, item: IDataObject) =>
	records.some((record) => String(record.id) === item.id);
export const newPeople = (): [IDataObject, IDataObject] => [
	{ email: 'new.one@example.com' },
	{ email: 'ñew+two@example.com' },
];
export const malformed = { item: { email: 'not an address' }, error: /not an email address/ };
export const found = ({ state }: Records, { email }: IDataObject) =>
	state.subscriber(String(email)) !== undefined;
export const foundCreator = ({ state }: Records, { email }: IDataObject) =>
	state.creators.some((creator) => creator.email === email);
export const stateOf = ({ state }: Records, { email }: IDataObject) =>
	state.subscriber(String(email))?.state;

export function listCase(count: (sandbox: Records) => number): OperationCase {
	return {
		parameters: limited,
		items: () => [{ limit: 1 }, { limit: 1 }],
		failing: badLimit,
		witness: count,
		output: () => ({}),
	};
}
