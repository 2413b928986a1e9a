import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { MockServer } from '../system';
import type { PageFault } from '../pageFaults';
import { ListPages, sendPage, type ListPage } from '../pages';
import { People } from '../people';
import { Refusal, textIn, type ListQuery } from '../server';
import { subscriptionOf, WOO_STATUSES, type WooMember } from './subscription';

export type { WooItem, WooMember } from './subscription';

/** A key of the REST API, which may read. */
export interface WooKey {
	key: string;
	secret: string;
}

/**
 * Simulates WooCommerce Subscriptions
 * (https://woocommerce.github.io/subscriptions-rest-api-docs/): at most 100 per page, and the
 * numbers of records and pages in headers
 * (https://developer.wordpress.org/rest-api/using-the-rest-api/pagination/). WordPress ignores
 * parameters that it doesn't know.
 *
 * Keys, parameters and headers come from the code (https://github.com/woocommerce/woocommerce), and
 * the fields as `subscription.ts` says. Missing lines come from issues. Never seen: a real shop, with
 * its cache, its firewall and its other plugins.
 */
export class WooCommerceMockServer implements MockServer {
	readonly pageFaults: PageFault[] = [];
	readonly people = new People<WooMember>('active', '77', (member) => ({
		...member,
		hasAccount: true,
		items: [{ productId: 77, name: 'Podcast membership' }],
	}));
	key: WooKey = { key: 'ck_key', secret: 'cs_secret' };

	private readonly pages = new ListPages<WooMember>(this.pageFaults);

	/** Adds the routes to a server. */
	routes(app: FastifyInstance): void {
		app.get('/wp-json/wc/v3/subscriptions', async (request, reply) => {
			const query = request.query as ListQuery;
			this.check(request, query);
			const page = this.page(query);
			addTotals(reply, page, request);
			const body = page.records.map((member) => subscriptionOf(member, page.nonce));
			return await sendPage(reply, page.fault, body);
		});
	}

	/** https://github.com/woocommerce/woocommerce: class-wc-rest-authentication.php */
	private check({ headers }: FastifyRequest, query: ListQuery): void {
		const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
		const [user = '', password = ''] = Buffer.from(basic, 'base64').toString().split(':');
		const { consumer_key: key = user, consumer_secret: secret = password } = query;
		if (key !== this.key.key)
			throw wooRefusal('woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.');
		if (secret !== this.key.secret)
			throw wooRefusal('woocommerce_rest_authentication_error', 'Consumer secret is invalid.');
	}

	private page(query: ListQuery): ListPage<WooMember> {
		const size = numberIn(query, 'per_page', 10, 100);
		const number = numberIn(query, 'page', 1, Infinity);
		const all = sorted(this.people.all.filter(filterOf(query)), query);
		return this.pages.page(all, { from: (number - 1) * size, size });
	}
}

/** Sends the numbers of records and pages, and links to other pages. */
function addTotals(
	reply: FastifyReply,
	{ total, pages, number }: ListPage<WooMember>,
	{ url }: FastifyRequest,
): void {
	// Some proxies drop these headers.
	if (total === undefined) return;
	reply.header('x-wp-total', total);
	reply.header('x-wp-totalpages', pages);
	const address = new URL(url, 'https://shop.example.com');
	address.searchParams.set('page', String(number + 1));
	if (number < pages) reply.header('link', `<${address.href}>; rel="next"`);
}

function wooRefusal(code: string, message: string): Refusal {
	return new Refusal(401, { code, message, data: { status: 401 } });
}

function invalid(name: string, why: string): Refusal {
	return new Refusal(400, {
		code: 'rest_invalid_param',
		message: `Invalid parameter(s): ${name}`,
		data: { status: 400, params: { [name]: why }, details: {} },
	});
}

function numberIn(query: ListQuery, name: string, usual: number, most: number): number {
	const number = Number(query[name] ?? usual);
	if (!Number.isInteger(number)) throw invalid(name, `${name} is not of type integer.`);
	if (number >= 1 && number <= most) return number;
	const range =
		most === Infinity
			? 'greater than or equal to 1'
			: `between 1 (inclusive) and ${most} (inclusive)`;
	throw invalid(name, `${name} must be ${range}`);
}

/** Which members a request asks for. */
function filterOf(query: ListQuery): (member: WooMember) => boolean {
	const { customer } = query;
	const [from, to] = [dateIn(query, 'after') ?? -Infinity, dateIn(query, 'before') ?? Infinity];
	const statuses = (textIn(query, 'status') ?? 'any').split(',');
	const unknown = statuses.find((one) => one !== 'any' && !WOO_STATUSES.includes(one));
	if (unknown !== undefined)
		throw invalid('status', `status[0] is not one of any, ${WOO_STATUSES.join(', ')}.`);
	return (member) =>
		member.created > from &&
		member.created < to &&
		(statuses.includes('any') ? member.status !== 'trash' : statuses.includes(member.status)) &&
		(customer === undefined || customer === member.id);
}

function dateIn(query: ListQuery, name: string): number | undefined {
	const text = textIn(query, name);
	if (text === undefined) return undefined;
	const time = Date.parse(text);
	if (Number.isNaN(time)) throw invalid(name, 'Invalid date.');
	return time;
}

const ORDERS = ['date', 'id', 'include', 'modified', 'slug', 'title'];

/** The newest first, unless the request says otherwise. IDs rise with the dates. */
function sorted(all: WooMember[], query: ListQuery): WooMember[] {
	const { order = 'desc' } = query;
	if (!ORDERS.includes(textIn(query, 'orderby') ?? 'date'))
		throw invalid('orderby', `orderby is not one of ${ORDERS.join(', ')}.`);
	if (order !== 'asc' && order !== 'desc') throw invalid('order', 'order is not one of asc, desc.');
	return order === 'asc' ? all : all.slice().reverse();
}
