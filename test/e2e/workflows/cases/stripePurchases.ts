import type { AccessCase } from './case';
import { about, says } from './stripeApi';

const dispute = (type: string, status: string) =>
	about(type, { object: 'dispute', charge: 'ch_1', status, customer: undefined });
const session = { id: 'cs_0', object: 'checkout.session', payment_status: 'paid' };

/** One-time purchases, refunds and disputes. */
export const purchases: AccessCase[] = [
	{
		event: 'checkout.session.completed',
		when: 'the member buys permanent access',
		body: about('checkout.session.completed', session),
		says: says([], [{}]),
		before: 'nobody',
		after: 'available',
	},
	{
		event: 'checkout.session.completed',
		when: 'someone buys another product',
		body: about('checkout.session.completed', session),
		says: says([], [{ product: 'prod_other' }]),
		before: 'nobody',
		after: 'nobody',
	},
	{
		event: 'checkout.session.completed',
		when: 'the member buys permanent access, and the bank debit is pending',
		body: about('checkout.session.completed', { ...session, payment_status: 'unpaid' }),
		says: says([], [{ paymentStatus: 'unpaid' }]),
		before: 'nobody',
		after: 'nobody',
	},
	{
		event: 'checkout.session.async_payment_succeeded',
		when: 'the pending bank debit succeeds',
		body: about('checkout.session.async_payment_succeeded', session),
		says: says([], [{}]),
		before: 'nobody',
		after: 'available',
	},
	{
		event: 'charge.refunded',
		when: 'the payment for permanent access is refunded',
		body: about('charge.refunded', { id: 'ch_1', object: 'charge', refunded: true }),
		says: says([], [{ refunded: true }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'charge.dispute.created',
		when: 'the payment is disputed',
		body: dispute('charge.dispute.created', 'needs_response'),
		says: says([{ status: 'active' }]),
		before: 'available',
		after: 'available',
	},
	{
		event: 'charge.dispute.closed',
		when: 'the dispute is lost',
		body: dispute('charge.dispute.closed', 'lost'),
		says: says([{ status: 'active' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'charge.dispute.closed',
		when: 'the dispute is won',
		body: dispute('charge.dispute.closed', 'won'),
		says: says([{ status: 'active' }]),
		before: 'deactivated',
		after: 'available',
	},
];
