import { patreonBoundaries as patreon } from '../../../simulators/memberships/patreon/boundaries';
import { stripeBoundaries as stripe } from '../../../simulators/memberships/stripe/boundaries';
import type { Boundaries, ExpressionFacts } from '../../../simulators/memberships/boundaries';
import type { WorkflowFacts } from '../../../simulators/memberships/system';

/** The same expression, where the node that it reads has another name. */
const renamed = ({ gives, reads, with: returned }: ExpressionFacts, name: string) => ({
	gives,
	reads: { [name]: Object.values(reads ?? {}).flat() },
	with: Object.fromEntries(Object.values(returned ?? {}).map((item) => [name, item])),
});

const created = 'Read New Subscriptions: queryParameters.parameters.created[gte].value';
const stripeChoices = stripe.expressions['The List: choices'];
const patreonChoices = patreon.expressions['The List: choices'];

/** Stripe and Patreon in one list. */
const boundaries: Boundaries = {
	pages: [
		...stripe.pages.map((pages) => ({
			...pages,
			nodes: ['Read the Products', 'Read Stripe', 'Read New Subscriptions'],
		})),
		...patreon.pages.map((pages) => ({ ...pages, nodes: ['Read Patreon'] })),
	],
	// The records are Patreon's, so they have no product.
	fields: {
		...patreon.fields,
		counts: {
			...{ ...stripe.fields.counts, ...patreon.fields.counts },
			access: { ...stripe.fields.counts.access, ...patreon.fields.counts.access },
		},
		of: { ...patreon.fields.of, byProduct: [['items'], ''], products: [['items'], ''] },
	},
	expressions: {
		[created]: stripe.expressions[created],
		'Read Patreon: url': patreon.expressions['Read All Members: url'],
		'Who Counts: free': patreon.expressions['Who Counts: free'],
		'The List: expected.stripe': { reads: { 'Fields in Use': ['customerId'] }, gives: 'count' },
		'The List: expected.unread': renamed(
			stripe.expressions['The List: expected.unread'],
			'Read Stripe',
		),
		'The List: expected.patreon': renamed(
			patreon.expressions['The List: expected.patreon'],
			'Read Patreon',
		),
		'The List: choices': {
			reads: { ...stripeChoices.reads, ...patreonChoices.reads },
			gives: 'text',
			with: { ...stripeChoices.with, ...patreonChoices.with },
		},
		'The List: hint': { reads: { 'Fields in Use': ['customerId'] }, gives: 'text' },
	},
	calls: {
		'Read the Products': 'the failure is data',
		'Read Stripe': 'the execution fails',
		'Read My Campaign': 'the execution fails',
		'Read Patreon': 'the execution fails',
		'Read New Subscriptions': 'the execution fails',
	},
};

/** The facts that the rows of a workflow come from. */
export type Facts = Pick<WorkflowFacts, 'boundaries' | 'reader' | 'saysWhoIsNew'>;

/** The workflows that read several systems, so they belong to no system's folder. */
export const JOINED_WORKFLOWS: Record<string, Facts> = {
	'stripe-and-patreon.json': { boundaries, reader: 'Read Stripe', saysWhoIsNew: true },
};
