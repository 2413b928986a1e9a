import { buildSchema } from 'graphql';

/**
 * The part of Memberful's schema that public clients and pages show. Sources:
 * https://github.com/prratek/tap-memberful (streams.py: fields, `totalCount`),
 * https://github.com/mikeckennedy/memberful (fields of plans, 100 a page),
 * https://memberful.com/help/integrate/advanced/memberful-api/ (`pass`, and the names).
 * In the dashboard, a `Pass` is a plan, and a `Plan` is a price.
 */
export const schema = buildSchema(`
	type Query {
		members(after: String, before: String, first: Int, last: Int): MemberConnection!
	}
	type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
	type MemberConnection { edges: [MemberEdge!]! nodes: [Member!]! pageInfo: PageInfo! totalCount: Int }
	type MemberEdge { cursor: String! node: Member! }
	type Address { city: String country: String postalCode: String state: String street: String }
	type CreditCard { brand: String expMonth: Int expYear: Int lastFourDigits: String }
	type Member {
		address: Address
		creditCard: CreditCard
		customField: String
		discordUserId: String
		email: String!
		fullName: String
		id: ID!
		phoneNumber: String
		stripeCustomerId: String
		subscriptions: [Subscription!]!
		totalOrders: Int!
		totalSpendCents: Int!
		unrestrictedAccess: Boolean!
		username: String
	}
	type Subscription {
		activatedAt: Int
		active: Boolean!
		additionalMembers: Int
		autorenew: Boolean!
		createdAt: Int!
		expiresAt: Int
		id: ID!
		pass: Pass
		pastDue: Boolean!
		plan: Plan
		trialEndAt: Int
		trialStartAt: Int
	}
	type Pass { id: ID! name: String! }
	type Plan {
		forSale: Boolean!
		id: ID!
		intervalCount: Int
		intervalUnit: String
		name: String!
		priceCents: Int
		slug: String!
	}
`);
