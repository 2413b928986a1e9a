import type { SandboxAddress } from '../../test/harness/sandbox';
import { ask } from '../../test/harness/system/http';
import { Problem } from '../../test/harness/system/problem';
import type { StripeMockServer, StripeSubscription } from '../memberships/stripe';

/** With so many members and the usual limit of 10%, Sync may close nine or ten feeds within 24 hours. */
const EXISTING = 92;

const DAY_MS = 86_400_000;

/** Adds members who have been paying at Stripe for some time. */
export function joinLongAgo(stripe: StripeMockServer): StripeSubscription[] {
	return Array.from({ length: EXISTING }, (_, index) => {
		const number = index + 1;
		const subscription = stripe.join(`member.${number}@example.com`, `Member ${number}`);
		subscription.created -= (EXISTING - index) * DAY_MS;
		return subscription;
	});
}

/** Opens their feeds at Supercast, as n8n would have done by now. Uses up no requests of the limit. */
export async function openFeeds(
	{ baseUrl, accessToken }: Pick<SandboxAddress, 'accessToken' | 'baseUrl'>,
	members: readonly StripeSubscription[],
): Promise<void> {
	const headers = { authorization: `Bearer ${accessToken}` };
	const post = async (url: string, json: unknown): Promise<void> => {
		const { status } = await ask(url, { method: 'POST', headers, json });
		if (status >= 300) throw new Problem(`The sandbox answered with ${status}.`);
	};
	const settings = new URL('/_sandbox/settings', baseUrl).href;
	await post(settings, { rateLimit: 0 });
	for (const { customer } of members) {
		const [first, last] = String(customer.name).split(' ');
		await post(`${baseUrl}/subscribers`, {
			subscriber: {
				...{ email: customer.email, customer_id: customer.id },
				...{ first_name: first, last_name: last },
			},
		});
	}
	await post(settings, { rateLimit: 100 });
}
