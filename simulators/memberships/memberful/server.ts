import type { FastifyInstance, FastifyRequest } from 'fastify';
import { graphql } from 'graphql';

import type { MockServer } from '../system';
import type { PageFault } from '../pageFaults';
import { ListPages, sendPage, type ListPage, type Slice } from '../pages';
import { People, type SystemMember } from '../people';
import { Refusal } from '../server';
import { schema } from './schema';

/** The most records in a page, in public clients. Memberful names no number. */
const MOST = 100;

/** A subscription. */
export interface MemberfulSubscription {
	id: string;
	isActive: boolean;
	isPastDue: boolean;
	/** What the dashboard calls a plan, and the API a pass. */
	pass: string;
	/** What the dashboard calls a price, and the API a plan. */
	plan: string;
	/** Milliseconds since 1970. */
	created: number;
}

/**
 * A member. The status is `active` (with a subscription), `unrestricted` (has access without one),
 * `none` (has neither), or another one for a member whose subscription has ended.
 */
export interface MemberfulMember extends SystemMember {
	/** Subscriptions besides the one that the status is about. They come first. */
	others: MemberfulSubscription[];
}

/**
 * Simulates Memberful's GraphQL API
 * (https://memberful.com/help/integrate/advanced/memberful-api/): pages with a cursor, and errors
 * with status 200.
 *
 * `schema.ts` says where the fields come from. The package `graphql` runs the queries. We have never
 * seen the error texts, the maximum page size, or `totalCount` in a current account.
 */
export class MemberfulMockServer implements MockServer {
	readonly pageFaults: PageFault[] = [];
	readonly people = new People<MemberfulMember>('active', 'plan_1', (member) => ({
		...member,
		others: [],
	}));
	/** The API key. */
	key = 'memberful-key';

	private readonly members = new ListPages<MemberfulMember>(this.pageFaults);

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.post('/api/graphql', async (request, reply) => {
			this.check(request);
			const { query = '', variables } = request.body as Asking;
			let page: ListPage<MemberfulMember> | undefined;
			const members = (asked: Arguments) => {
				page = this.members.page(this.people.all, sliceOf(asked));
				return connection(page);
			};
			const rootValue = { members };
			const answer = await graphql({ schema, source: query, rootValue, variableValues: variables });
			const nonce = page?.nonce === undefined ? {} : { extensions: { requestId: page.nonce } };
			return await sendPage(reply, page?.fault, { ...answer, ...nonce });
		});
	}

	private check({ headers }: FastifyRequest): void {
		if (headers.authorization !== `Bearer ${this.key}`)
			throw new Refusal(200, { errors: [{ message: 'Invalid authentication token.' }] });
	}
}

interface Asking {
	query?: string;
	variables?: Record<string, unknown>;
}

interface Arguments {
	after?: string | null;
	first?: number | null;
}

/** An empty cursor means the first page. */
function sliceOf({ after, first }: Arguments): Slice {
	const from = Number(Buffer.from(after ?? '', 'base64').toString() || 0);
	if (!Number.isInteger(from)) throw new Error(`"${after}" is not a valid cursor`);
	return { from, size: Math.min(first ?? MOST, MOST) };
}

function cursorOf(count: number): string {
	return Buffer.from(String(count)).toString('base64');
}

function connection({ records, next, number, size, total }: ListPage<MemberfulMember>) {
	const from = (number - 1) * size;
	const nodes = records.map(memberNode);
	return {
		edges: nodes.map((node, index) => ({ cursor: cursorOf(from + index + 1), node })),
		nodes,
		pageInfo: {
			endCursor: cursorOf(next ?? from + records.length),
			hasNextPage: next !== null,
			hasPreviousPage: from > 0,
			startCursor: cursorOf(from),
		},
		totalCount: total ?? null,
	};
}

/** All subscriptions of a member. The current one comes last. */
function subscriptionsOf(member: MemberfulMember): MemberfulSubscription[] {
	const { id, status, created, others, products } = member;
	const [plan = 'plan_1'] = products;
	const current: MemberfulSubscription = {
		id: `7${id}`,
		isActive: status === 'active',
		isPastDue: false,
		pass: 'Podcast',
		plan: plan === 'plan_1' ? 'Podcast, monthly' : plan,
		created,
	};
	const hasNone = ['none', 'unrestricted'].includes(status);
	return hasNone ? others : [...others, current];
}

function memberNode(member: MemberfulMember): Record<string, unknown> {
	const { id, email, name, status } = member;
	return {
		address: null,
		creditCard: { brand: 'visa', expMonth: 12, expYear: 2030, lastFourDigits: '4242' },
		customField: null,
		discordUserId: null,
		email,
		fullName: name,
		id,
		phoneNumber: null,
		stripeCustomerId: `cus_${id}`,
		subscriptions: () => subscriptionsOf(member).map(subscriptionNode),
		totalOrders: 1,
		totalSpendCents: 500,
		unrestrictedAccess: status === 'unrestricted',
		username: `member_${id}`,
	};
}

function subscriptionNode(one: MemberfulSubscription): Record<string, unknown> {
	const created = Math.floor(one.created / 1000);
	return {
		activatedAt: created,
		active: one.isActive,
		additionalMembers: 0,
		autorenew: one.isActive,
		createdAt: created,
		expiresAt: created + 2_592_000,
		id: one.id,
		pass: { id: '1', name: one.pass },
		pastDue: one.isPastDue,
		plan: {
			forSale: true,
			id: '1',
			intervalCount: 1,
			intervalUnit: 'month',
			name: one.plan,
			priceCents: 500,
			slug: 'podcast',
		},
		trialEndAt: null,
		trialStartAt: null,
	};
}
