/** Which channel each item belongs to. Fields of a credential may be expressions of the item. */

import type { IExecuteFunctions, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { accessTokenOf } from '../api/auth/accessToken';
import {
	authenticationOf,
	createClient,
	credentialTypeOf,
	type SupercastClient,
} from '../api/client';
import { InputError } from '../api/errors/errors';
import { normalizeBaseUrl } from '../api/http/address';
import { textOf } from '../api/json';
import { hasExpression } from './plainFields';

/** How many items get their credential at a time. */
const AT_ONCE = 50;

type ClientOptions = Parameters<typeof createClient>[2];

/** The client of an item, or why it has none. */
export type ItemClient = PromiseSettledResult<SupercastClient>;

/** The clients of all items, in their order. Items with the same values in their credential share one. */
export async function clientsOf(
	context: IExecuteFunctions,
	items: number,
	options: ClientOptions,
): Promise<ItemClient[]> {
	const clients = new Map<string, Promise<SupercastClient>>();
	const clientOf = async (index: number): Promise<SupercastClient> => {
		const authentication = authenticationOf(context.getNodeParameter('authentication', 0));
		const own = contextOfItem(context, index);
		const credential = await own.getCredentials(credentialTypeOf(authentication));
		// A token that n8n renews meanwhile makes no difference.
		const key = JSON.stringify({ ...credential, oauthTokenData: undefined });
		const client = clients.get(key) ?? createClient(own, authentication, options);
		clients.set(key, client);
		return await client;
	};
	if (await areSame(context)) {
		const [client] = await Promise.allSettled([clientOf(0)]);
		return Array<ItemClient>(items).fill(client);
	}
	return await settleAll(items, clientOf);
}

/**
 * Checks that all items belong to one channel.
 * @throws InputError if they do not, and the error of n8n if an item has no valid credential.
 */
export async function refuseSeveralChannels(context: IExecuteFunctions): Promise<void> {
	if (await areSame(context)) return;
	const authentication = authenticationOf(context.getNodeParameter('authentication', 0));
	const type = credentialTypeOf(authentication);
	const found = await settleAll(context.getInputData().length, async (index) =>
		channelKey(await context.getCredentials(type, index)),
	);
	const channels = new Set<string>();
	for (const one of found) {
		if (one.status === 'rejected') throw one.reason;
		channels.add(one.value);
	}
	if (channels.size < 2) return;
	throw new InputError(
		`The input items name ${channels.size} channels in Supercast`,
		"Sync takes all items as the list of one channel. Run a separate Sync for each channel. In the credential, don't use expressions that read the item.",
	);
}

/** A text that differs between channels. */
function channelKey({
	accessToken,
	baseUrl,
	clientId,
	subdomain,
}: Record<string, unknown>): string {
	const token = accessTokenOf(accessToken);
	const names = [textOf(clientId), textOf(subdomain).trim()];
	return JSON.stringify([normalizeBaseUrl(baseUrl), token, ...names]);
}

/** The context with the credential of an item. n8n would resolve that of the first item. */
function contextOfItem(context: IExecuteFunctions, index: number): IExecuteFunctions {
	return Object.create(context, {
		getCredentials: {
			value: async (type: string) => await context.getCredentials(type, index),
		},
	}) as IExecuteFunctions;
}

/** What n8n's contexts have beyond their documented interface (n8n-core, NodeExecutionContext). */
interface Inner {
	additionalData: IWorkflowExecuteAdditionalData;
}

async function settleAll<T>(
	items: number,
	work: (index: number) => Promise<T>,
): Promise<Array<PromiseSettledResult<T>>> {
	const all: Array<PromiseSettledResult<T>> = [];
	while (all.length < items) {
		const some = Array.from({ length: Math.min(AT_ONCE, items - all.length) }, (_, place) => place);
		all.push(
			...(await Promise.allSettled(some.map(async (place) => await work(all.length + place)))),
		);
	}
	return all;
}

/**
 * Whether the credential is the same for all items, because no field is an expression. Otherwise,
 * n8n has to read it once for each item.
 */
async function areSame(context: IExecuteFunctions): Promise<boolean> {
	if (context.getInputData().length < 2) return true;
	try {
		const { additionalData } = context as unknown as Inner;
		const type = credentialTypeOf(authenticationOf(context.getNodeParameter('authentication', 0)));
		const credential = context.getNode().credentials?.[type] ?? { id: null, name: '' };
		const stored = await additionalData.credentialsHelper.getDecrypted(
			additionalData,
			credential,
			type,
			context.getMode(),
			undefined,
			true,
		);
		return !hasExpression(stored);
	} catch {
		return false;
	}
}
