import { join } from 'node:path';
import { ask, bodyText } from './system/http';
import { root } from './system/paths';
import { Problem } from './system/problem';
import { lastLines, startNode } from './system/processes';

/** The address and secrets of the sandbox, which it prints in one line when it is ready. */
export interface SandboxAddress {
	baseUrl: string;
	authUrl: string;
	accessTokenUrl: string;
	accessToken: string;
	clientId: string;
	clientSecret: string;
}

/** A running sandbox. */
export interface SandboxProcess extends SandboxAddress {
	stop: () => Promise<void>;
}

/** A subscriber with a private feed. */
export interface Listener {
	uuid: string;
	email: string;
	/** Their ID in the membership system that added them, if any. */
	customerId: string | null;
	feedUrl: string;
}

interface SubscriberRecord {
	uuid: string;
	email: string;
	customer_id: string | null;
	state: string;
	subscriptions?: Array<{ feed_url?: string }>;
}

/** Starts the sandbox on a free port. */
export async function startSandbox(logFile: string, args: string[] = []): Promise<SandboxProcess> {
	const cli = require.resolve('tsx/cli');
	const script = join(root, 'sandbox', 'cli.ts');
	return await new Promise((resolve, reject) => {
		const onLine = (line: string) => {
			if (line.startsWith('{'))
				resolve({ ...(JSON.parse(line) as SandboxAddress), stop: program.stop });
		};
		const options = { cwd: root, env: process.env, logFile, onLine };
		const program = startNode(process.execPath, [cli, script, '--port', '0', ...args], options);
		void program.ended.then((how) =>
			reject(new Problem(`The sandbox did not start (${how}):\n${lastLines(logFile, 8)}`)),
		);
	});
}

/** Subscribers whose private feed is open. */
export async function openListeners(sandbox: SandboxAddress): Promise<Listener[]> {
	return (await subscribersFrom(sandbox, 1)).flatMap(
		({ uuid, email, customer_id: customerId, state, subscriptions }) => {
			const feedUrl = subscriptions?.[0]?.feed_url;
			return state === 'available' && feedUrl !== undefined
				? [{ uuid, email, customerId, feedUrl }]
				: [];
		},
	);
}

const PAGE_SIZE = 100;

/** The subscribers on this page and the ones after it. */
async function subscribersFrom(sandbox: SandboxAddress, page: number): Promise<SubscriberRecord[]> {
	const url = `${sandbox.baseUrl}/subscribers?per_page=${PAGE_SIZE}&page=${page}`;
	const answer = await ask(url, { headers: bearer(sandbox) });
	if (answer.status !== 200 || !Array.isArray(answer.body)) {
		throw new Problem(`The sandbox did not list subscribers: ${answer.status} ${bodyText(answer)}`);
	}
	const rows = answer.body as SubscriberRecord[];
	return rows.length < PAGE_SIZE ? rows : [...rows, ...(await subscribersFrom(sandbox, page + 1))];
}

/** The first subscriber whose private feed is open. Throws if there is none. */
export async function firstListener(sandbox: SandboxAddress): Promise<Listener> {
	const [first] = await openListeners(sandbox);
	if (first === undefined) throw new Problem('The sandbox has no subscriber with an open feed.');
	return first;
}

/** Whether the sandbox still has this subscriber. */
export async function isKnown(sandbox: SandboxAddress, { uuid }: Listener): Promise<boolean> {
	const answer = await ask(`${sandbox.baseUrl}/subscribers/${uuid}`, { headers: bearer(sandbox) });
	return answer.status !== 404;
}

/** Makes the sandbox refuse every request that closes a feed, with 403. */
export async function refuseClosing(sandbox: SandboxAddress): Promise<void> {
	const fault = { kind: 'status', status: 403, method: 'PATCH', path: '/feeds', share: 1 };
	const url = new URL('/_sandbox/faults', sandbox.baseUrl).href;
	const answer = await ask(url, { method: 'POST', json: fault });
	if (answer.status >= 300) {
		throw new Problem(`The sandbox refused a fault: ${answer.status} ${bodyText(answer)}`);
	}
}

function bearer(sandbox: SandboxAddress): Record<string, string> {
	return { authorization: `Bearer ${sandbox.accessToken}` };
}
