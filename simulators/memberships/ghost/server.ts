import type { FastifyInstance } from 'fastify';

import type { MockServer } from '../system';
import type { PageFault } from '../pageFaults';
import { ListPages, sendPage, shuffled, type ListPage } from '../pages';
import { People, type SystemMember } from '../people';
import { textIn, type ListQuery } from '../server';
import {
	memberObject,
	objectId,
	tiersOf,
	type GhostMember,
	type GhostMemberObject,
	type GhostTier,
} from './member';
import { checkQuery, filterOf, isTotal, ghostOrderOf, sorted, tieOf } from './query';
import { checkToken, type GhostKey } from './token';

export type { GhostMember, GhostTier } from './member';
export type { GhostKey } from './token';

/** The tier of the mock server's members. */
export const GOLD: GhostTier = { id: objectId(1_700_000_000, 1), name: 'Gold', slug: 'gold' };
/** A second tier. */
const SILVER: GhostTier = { id: objectId(1_700_000_000, 2), name: 'Silver', slug: 'silver' };

/** What a list can include. Ghost ignores anything else. */
const INCLUDES = ['email_recipients', 'metafields', 'products', 'tiers'];

/**
 * Simulates Ghost's Admin API (https://docs.ghost.org/admin-api/members/overview), as Ghost
 * 6.65 answers: at most 100 per page, filters, orders, and tokens that are valid for 5 minutes.
 *
 * Fields and errors come from a Ghost that was run with MySQL, MariaDB and SQLite. Tokens,
 * validation, orders and invented subscriptions come from its code. Its own parser reads the
 * filters. MySQL sorts equal members differently for each page: with `created_at asc`, those of the
 * same second. Never seen: Ghost's hosting, and what its proxies change.
 */
export class GhostMockServer implements MockServer {
	readonly pageFaults: PageFault[] = [];
	readonly people = new People<GhostMember>('paid', GOLD.id, complete);
	readonly tiers: GhostTier[] = [GOLD, SILVER];
	readonly key: GhostKey = { id: '6489a1b2c0ffee0000000001', secret: '00ff'.repeat(16) };

	private readonly pages = new ListPages<GhostMember>(this.pageFaults);

	/** The key as Ghost shows it. */
	get apiKey(): string {
		return `${this.key.id}:${this.key.secret}`;
	}

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.get('/ghost/api/admin/members/', async (request, reply) => {
			checkToken(request.headers.authorization, this.key);
			const query = request.query as ListQuery;
			checkQuery(query);
			const page = this.page(query);
			return await sendPage(reply, page.fault, this.body(page, query));
		});
	}

	private page(query: ListQuery): ListPage<GhostMember> {
		const { page = '1', limit = '15' } = query;
		const size = limit === 'all' ? 100 : Math.min(Number(limit), 100);
		const number = Math.max(1, Number(page));
		const order = ghostOrderOf(query);
		const all = sorted(this.people.all.filter(filterOf(query, this.tiers)), order);
		// MySQL sorts equal members in another order for each page.
		const seen = isTotal(order) ? all : shuffled(all, number, (member) => tieOf(member, order));
		return this.pages.page(seen, { from: (number - 1) * size, size });
	}

	private body(
		{ records, number, size, total, pages, next, nonce }: ListPage<GhostMember>,
		query: ListQuery,
	) {
		const included = (textIn(query, 'include') ?? '')
			.split(',')
			.filter((name) => INCLUDES.includes(name));
		const hasTiers = included.includes('tiers') || included.includes('products');
		return {
			members: records.map((member) => this.member(member, query, hasTiers)),
			meta: {
				pagination: {
					page: number,
					limit: size,
					pages,
					total,
					next: next === null ? null : Math.floor(next / size) + 1,
					prev: number > 1 ? number - 1 : null,
				},
				...(nonce !== undefined && { request: nonce }),
			},
		};
	}

	private member(
		member: GhostMember,
		{ fields }: ListQuery,
		hasTiers: boolean,
	): Partial<GhostMemberObject> {
		const object = memberObject(member, this.tiers);
		const tier = { active: true, type: 'paid', visibility: 'public' };
		if (hasTiers) object.tiers = tiersOf(member, this.tiers).map((one) => ({ ...one, ...tier }));
		if (typeof fields !== 'string' || fields === '') return object;
		const names = fields.split(',');
		return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
	}
}

function complete(member: SystemMember): GhostMember {
	const id = objectId(Math.floor(member.created / 1000), Number(member.id));
	return { ...member, id, labels: [], subscriptionStatus: 'active', isCanceling: false };
}
