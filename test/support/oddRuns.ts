/** Runs single items of all operations, with a client that records the requests. */

import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../../nodes/Supercast/api/client';
import { Channel } from '../../nodes/Supercast/api/sharedChannel';
import { runtime } from '../../nodes/Supercast/api/clock';
import { InputError } from '../../nodes/Supercast/api/errors/errors';
import type { ApiRequest } from '../../nodes/Supercast/api/types';
import { parameterReader } from '../../nodes/Supercast/execution/context';
import type { Operation } from '../../nodes/Supercast/operations/types';
import { resources } from '../../nodes/Supercast/resources';

/** Runs an item. Returns the requests, or the error if one of the parameters is refused. */
export async function sentBy(
	operation: Operation,
	values: IDataObject,
): Promise<ApiRequest[] | InputError> {
	const requests: ApiRequest[] = [];
	// Each person has one subscription, so that closing a feed takes one request.
	const channel = Object.assign(new Channel(runtime), { hasSeveral: false });
	const client: SupercastClient = {
		channel,
		request: async (request) => {
			requests.push(request);
			const bodies = { list: [], record: undefined, change: changed(request) };
			const body = bodies[request.expects ?? 'change'];
			return { status: 200, headers: {}, body };
		},
	};
	const context = {
		getNode: () => ({ parameters: {}, type: 'supercast' }),
		getNodeParameter: (name: string, _: number, fallback: unknown) => values[name] ?? fallback,
		getMode: () => 'trigger',
		getTimezone: () => 'UTC',
	};
	try {
		const item = parameterReader(context as unknown as IExecuteFunctions)(0);
		await operation.prepare(item).run(client);
	} catch (error) {
		if (error instanceof InputError && requests.length === 0) return error;
		throw error;
	}
	return requests;
}

/** The record that shows a change. */
function changed({ body, path: [collection, name] }: ApiRequest): IDataObject {
	const [fields = {}] = Object.values(body ?? {}) as IDataObject[];
	const isFeed = collection === 'feeds';
	const names = isFeed ? {} : { id: '7', uuid: name ?? 'u-7', email: 'ann@example.com' };
	return { ...names, state: 'available', feed_url: 'https://example.com/feeds/1.xml', ...fields };
}

const VALID: IDataObject = {
	...{ email: 'ann@example.com', access: 'open' },
	...{ returnAll: false, limit: 50, simplify: false },
	...{
		additionalFields: {},
		updateFields: { otherFields: '{"other":1}' },
		filters: {},
		options: {},
	},
};
const locatorOf = ({ modes = [] }: INodeProperties): IDataObject =>
	modes.some(({ name }) => name === 'email')
		? { mode: 'email', value: 'ann@example.com' }
		: { mode: 'id', value: '7' };

/** Valid parameters of an operation. */
export function validFor({ properties }: Operation): IDataObject {
	const required = properties.filter((property) => property.required === true);
	const texts = required.filter(({ type, name }) => type === 'string' && !(name in VALID));
	const locators = required.filter(({ type }) => type === 'resourceLocator');
	return {
		...VALID,
		...Object.fromEntries(texts.map(({ name }) => [name, `A ${name}`])),
		...Object.fromEntries(locators.map((one) => [one.name, locatorOf(one)])),
	};
}

/** All operations that run once per item. */
export const operations = Object.entries(resources).flatMap(([resource, { operations: all }]) =>
	Object.entries<object>(all).flatMap(([name, operation]) =>
		'prepare' in operation ? [[`${resource}: ${name}`, operation as Operation] as const] : [],
	),
);
