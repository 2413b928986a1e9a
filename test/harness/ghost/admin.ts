import { randomBytes } from 'node:crypto';

import { Problem } from '../system/problem';
import type { GhostServer } from './server';

/** A tier of a member, as Ghost reports it. */
export interface AdminTier {
	id: string;
	name: string;
}

/** A member, as Ghost's Admin API reports it. */
export interface AdminMember {
	/** 24 hexadecimal digits. */
	id: string;
	email: string;
	name: string | null;
	status: 'free' | 'paid' | 'comped' | 'gift';
	tiers: AdminTier[];
}

/** A row of the CSV file that Ghost imports. */
export interface ImportRow {
	email: string;
	name?: string;
	/** The name of the complimentary tier. Without it, the member is free. */
	tier?: string;
}

/** What the owner of a Ghost does in its settings and in its list of members. */
export interface GhostAdmin {
	/** The Admin API key of a custom integration, as Ghost shows it: ID, colon, secret. */
	apiKey: string;
	/** Adds a paid tier. */
	addTier: (name: string) => Promise<AdminTier>;
	/** Imports a CSV file by Ghost's own import. Fails if Ghost leaves out a row. */
	importMembers: (rows: ImportRow[]) => Promise<void>;
	/** Adds a member with a complimentary tier. */
	addMember: (email: string, name: string, tier: AdminTier) => Promise<AdminMember>;
	/** Takes all tiers away from a member, who then is free. */
	endMember: (member: AdminMember) => Promise<AdminMember>;
	deleteMember: (member: AdminMember) => Promise<void>;
	/** Finds a member by email. */
	member: (email: string) => Promise<AdminMember>;
}

type Send = (method: string, path: string, body?: object | FormData) => Promise<Body>;
type Body = Record<string, unknown>;

const patience = 300_000;
const probeEmail = 'probe@example.com';

/** Creates the owner of a new Ghost, an integration and a connection to Stripe, as its pages do. */
export async function setUpGhost({ url }: GhostServer): Promise<GhostAdmin> {
	const send = await logIn(url);
	const { integrations } = (await send('POST', '/integrations/?include=api_keys', {
		integrations: [{ name: 'n8n' }],
	})) as { integrations: Array<{ api_keys: Array<{ type: string; secret: string }> }> };
	const apiKey = integrations[0]?.api_keys.find(({ type }) => type === 'admin')?.secret ?? '';
	const admin = { apiKey, ...membersOf(send) };
	await connectStripe(send, admin);
	return admin;
}

async function logIn(url: string): Promise<Send> {
	const owner = {
		name: 'Olga Owner',
		email: 'owner@example.com',
		password: randomBytes(12).toString('base64url'),
		blogTitle: 'Podcast',
	};
	let cookie = '';
	const send: Send = async (method, path, body) => {
		const isForm = body instanceof FormData;
		const response = await fetch(`${url}/ghost/api/admin${path}`, {
			method,
			body: isForm || body === undefined ? body : JSON.stringify(body),
			headers: {
				origin: url,
				cookie,
				...(isForm ? undefined : { 'content-type': 'application/json' }),
			},
			signal: AbortSignal.timeout(patience),
		});
		const text = await response.text();
		if (!response.ok)
			throw new Problem(`Ghost refused ${method} ${path}: ${response.status} ${text}`);
		const [session] = response.headers.getSetCookie();
		if (session !== undefined) cookie = session.split(';')[0] ?? '';
		return text.startsWith('{') ? (JSON.parse(text) as Body) : {};
	};
	await send('POST', '/authentication/setup/', { setup: [owner] });
	await send('POST', '/session/', { username: owner.email, password: owner.password });
	return send;
}

function membersOf(send: Send): Omit<GhostAdmin, 'apiKey'> {
	const one = (body: Body) => (body.members as AdminMember[])[0];
	const found = (body: Body, email: string) => {
		const member = one(body);
		if (member === undefined) throw new Problem(`Ghost has no member ${email}`);
		return member;
	};
	return {
		addTier: async (name) => {
			const tier = { name, type: 'paid', currency: 'usd', monthly_price: 500, yearly_price: 5000 };
			return (
				(await send('POST', '/tiers/', { tiers: [tier] })).tiers as AdminTier[]
			)[0] as AdminTier;
		},
		importMembers: async (rows) => await importMembers(send, rows),
		addMember: async (email, name, { id }) => {
			const members = [{ email, name, tiers: [{ id }] }];
			return found(await send('POST', '/members/', { members }), email);
		},
		endMember: async ({ id, email }) =>
			found(await send('PUT', `/members/${id}/`, { members: [{ tiers: [] }] }), email),
		deleteMember: async ({ id }) => void (await send('DELETE', `/members/${id}/`)),
		member: async (email) => {
			const filter = encodeURIComponent(`email:'${email}'`);
			return found(await send('GET', `/members/?include=tiers&filter=${filter}`), email);
		},
	};
}

async function importMembers(send: Send, rows: ImportRow[]): Promise<void> {
	const header = 'email,name,complimentary_plan,import_tier';
	const lines = rows.map(({ email, name = '', tier }) =>
		[email, name, tier === undefined ? '' : 'true', tier ?? ''].join(','),
	);
	// cspell:ignore membersfile
	const form = new FormData();
	form.append(
		'membersfile',
		new Blob([[header, ...lines].join('\n')], { type: 'text/csv' }),
		'members.csv',
	);
	const { meta } = (await send('POST', '/members/upload/', form)) as {
		meta: { stats?: { imported: number; invalid: unknown[] } };
	};
	if (meta.stats?.imported !== rows.length) {
		throw new Problem(`Ghost did not import all ${rows.length} members: ${JSON.stringify(meta)}`);
	}
	await untilComped(send, rows.filter(({ tier }) => tier !== undefined).length);
}

/** Waits until Ghost's own filter finds all complimentary members. */
async function untilComped(send: Send, wanted: number): Promise<void> {
	const filter = encodeURIComponent('status:comped');
	const deadline = Date.now() + 60_000;
	for (;;) {
		const { meta } = (await send('GET', `/members/?limit=1&filter=${filter}`)) as {
			meta: { pagination: { total: number } };
		};
		const count = meta.pagination.total;
		if (count >= wanted) return;
		if (Date.now() > deadline)
			throw new Problem(`Ghost has ${count} of ${wanted} complimentary members`);
		await new Promise((resolve) => setTimeout(resolve, 300));
	}
}

/** Enters Stripe's keys, and waits until Ghost counts complimentary members. That takes a moment. */
async function connectStripe(
	send: Send,
	{ addMember, deleteMember }: Pick<GhostAdmin, 'addMember' | 'deleteMember'>,
): Promise<void> {
	await send('PUT', '/settings/', {
		settings: [
			{ key: 'stripe_publishable_key', value: 'pk_test_ghost' },
			{ key: 'stripe_secret_key', value: 'sk_test_ghost' },
		],
	});
	const { tiers } = (await send('GET', '/tiers/?filter=type:paid')) as { tiers: AdminTier[] };
	const deadline = Date.now() + 60_000;
	for (let status = 'free'; status !== 'comped';) {
		if (Date.now() > deadline)
			throw new Problem('Ghost takes complimentary members for free ones.');
		await new Promise((resolve) => setTimeout(resolve, 300));
		const probe = await addMember(probeEmail, 'Probe', tiers[0] as AdminTier);
		({ status } = probe);
		await deleteMember(probe);
	}
}
