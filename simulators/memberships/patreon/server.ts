import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ListResourcePayload, Type } from 'patreon-api.ts';

import type { MockServer } from '../system';
import type { PageFault } from '../pageFaults';
import { ListPages, sendPage, type ListPage } from '../pages';
import { People, type SystemMember } from '../people';
import { textIn, type ListQuery } from '../server';
import {
	campaignAttributes,
	entitledTiers,
	includes,
	isQuery,
	memberAttributes,
	patreonRefusal,
	related,
	resourceObject,
	tierAttributes,
	userAttributes,
	type PatreonMember,
} from './resources';

export type { PatreonMember } from './resources';

/** The tier of the mock server's members. */
export const TIER = '501';
/** The campaign of the mock server's owner. */
const CAMPAIGN = '77';
const URL_OF_MEMBERS = `https://www.patreon.com/api/oauth2/v2/campaigns/${CAMPAIGN}/members`;

/** A page as Patreon's types have it, whose attributes are those that a request asks for. */
type Payload = Omit<
	ListResourcePayload<Type.Member, 'currently_entitled_tiers' | 'user'>,
	'data' | 'included' | 'meta'
>;

/**
 * Simulates Patreon's API (https://docs.patreon.com/): pages with a cursor, only the requested
 * fields, and tokens that expire. A refresh token works only once.
 *
 * Attributes and errors have the types of the package `patreon-api.ts`. Null statuses, users and
 * emails, and members without tiers come from public clients and their tests. Never seen: the texts
 * of most errors, and what Patreon does with brackets that are not encoded. They are refused here,
 * as the documentation demands.
 */
export class PatreonMockServer implements MockServer {
	readonly pageFaults: PageFault[] = [];
	readonly people = new People<PatreonMember>('active_patron', TIER, complete);
	pageSize = 1000;
	/** The number of the valid token. */
	token = 0;
	/** What the tokens may do. */
	readonly scopes = new Set(['campaigns', 'campaigns.members', 'campaigns.members[email]']);
	/** The titles of the tiers. */
	readonly tiers = new Map([[TIER, 'Listener']]);

	private readonly pages = new ListPages<PatreonMember>(this.pageFaults);

	/** Makes the current access token invalid. */
	expire(): void {
		this.token += 1;
	}

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.post('/api/oauth2/token', (request, reply) => {
			const { refresh_token: spent } = request.body as Record<string, string>;
			if (spent !== `refresh-${this.token - 1}`)
				return reply.code(400).send({ error: 'invalid_grant' });
			return {
				access_token: `token-${this.token}`,
				refresh_token: `refresh-${this.token}`,
				token_type: 'Bearer',
				expires_in: 2_678_400,
				scope: [...this.scopes].join(' '),
			};
		});
		app.get('/api/oauth2/v2/campaigns/:id/members', async (request, reply) => {
			this.check(request, 'campaigns.members');
			const { id } = request.params as { id: string };
			if (id !== CAMPAIGN) throw patreonRefusal(404, 'ResourceNotFound', `No campaign ${id}.`);
			const query = request.query as ListQuery;
			const page = this.page(query);
			return await sendPage(reply, page.fault, this.body(page, query));
		});
		app.get('/api/oauth2/v2/campaigns', (request) => {
			this.check(request, 'campaigns');
			return this.campaigns(request.query as ListQuery);
		});
	}

	private check({ headers, url }: FastifyRequest, scope: string): void {
		if (headers.authorization !== `Bearer token-${this.token}`)
			throw patreonRefusal(
				401,
				'Unauthorized',
				"The server could not verify that you are authorized to access the URL requested. You either supplied the wrong credentials (e.g. a bad password), or your browser doesn't understand how to supply the credentials required.",
			);
		if (!this.scopes.has(scope))
			throw patreonRefusal(403, 'ViewForbidden', 'You do not have permission to view this.');
		if (/[[\]]/.test(url))
			throw patreonRefusal(400, 'BadRequest', 'Encode the brackets of parameters.');
	}

	private page(query: ListQuery): ListPage<PatreonMember> {
		const asked = isQuery(query.page) ? query.page : {};
		const from = Number(Buffer.from(textIn(asked, 'cursor') ?? '', 'base64').toString() || 0);
		if (!Number.isInteger(from))
			throw patreonRefusal(400, 'ParameterInvalid', 'Invalid value for page[cursor].');
		const size = Math.min(Number(asked.count ?? this.pageSize), this.pageSize);
		return this.pages.page(this.people.all, { from, size });
	}

	private body({ records, next, total, nonce }: ListPage<PatreonMember>, query: ListQuery) {
		const included = includes(query, ['currently_entitled_tiers', 'user']);
		const cursor = next === null ? null : Buffer.from(String(next)).toString('base64');
		return {
			data: records.map((member) => this.member(member, query, included)),
			...(included.length > 0 && { included: this.included(records, query, included) }),
			...(cursor !== null && {
				links: { next: `${URL_OF_MEMBERS}?${encodeURIComponent('page[cursor]')}=${cursor}` },
			}),
			meta: {
				pagination: { cursors: { next: cursor }, total },
				...(nonce !== undefined && { request: nonce }),
			},
		} satisfies Payload;
	}

	private member(member: PatreonMember, query: ListQuery, included: string[]) {
		const attributes = memberAttributes(member, this.scopes.has('campaigns.members[email]'));
		const tiers = entitledTiers(member).map((id) => ({ id, type: 'tier' as const }));
		const user = member.user === null ? { data: null } : related('user', member.user);
		return {
			...resourceObject('member', memberId(member.id), attributes, query),
			...(included.length > 0 && {
				relationships: {
					...(included.includes('currently_entitled_tiers') && {
						currently_entitled_tiers: { data: tiers },
					}),
					...(included.includes('user') && { user }),
				},
			}),
		};
	}

	/** The related resources of a page, each once. */
	private included(records: PatreonMember[], query: ListQuery, included: string[]) {
		const users = records.flatMap((member) =>
			member.user === null
				? []
				: [resourceObject('user', member.user, userAttributes(member), query)],
		);
		return [
			...(included.includes('currently_entitled_tiers')
				? this.tierResources(new Set(records.flatMap(entitledTiers)), query)
				: []),
			...(included.includes('user') ? users : []),
		];
	}

	private tierResources(ids: Iterable<string>, query: ListQuery) {
		return [...ids].map((id) =>
			resourceObject('tier', id, tierAttributes(this.tiers.get(id) ?? ''), query),
		);
	}

	private campaigns(query: ListQuery) {
		const ids = [...this.tiers.keys()];
		const hasTiers = includes(query, ['tiers']).includes('tiers');
		const tiers = { data: ids.map((id) => ({ id, type: 'tier' })) };
		return {
			data: [
				{
					...resourceObject('campaign', CAMPAIGN, campaignAttributes, query),
					...(hasTiers && { relationships: { tiers } }),
				},
			],
			...(hasTiers && { included: this.tierResources(ids, query) }),
			meta: { pagination: { cursors: { next: null }, total: 1 } },
		};
	}
}

/** The IDs of members are UUIDs. */
function memberId(id: string): string {
	return `7d1c0000-0000-4000-8000-${id.padStart(12, '0')}`;
}

function complete(member: SystemMember): PatreonMember {
	return {
		...member,
		user: `9${member.id}`,
		amountCents: 500,
		isGifted: false,
		isFreeTrial: false,
	};
}
