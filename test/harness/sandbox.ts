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
	feed_token: string;
}

/** Starts the sandbox on a free port. */
export async function startSandbox(logFile: string, args: string[] = []): Promise<SandboxProcess> {
	const cli = require.resolve('tsx/cli');
	const script = join(root, 'simulators', 'supercast', 'cli.ts');
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

/** Subscribers whose private feed is open. Asks the sandbox itself, so that this uses up no request of the limit. */
export async function openListeners(sandbox: SandboxAddress): Promise<Listener[]> {
	const answer = await ask(new URL('/_sandbox/state', sandbox.baseUrl).href);
	if (answer.status !== 200) {
		throw new Problem(`The sandbox did not list subscribers: ${answer.status} ${bodyText(answer)}`);
	}
	return (answer.body as { subscribers: SubscriberRecord[] }).subscribers
		.filter(({ state }) => state === 'available')
		.map(({ uuid, email, customer_id: customerId, feed_token: token }) => ({
			...{ uuid, email, customerId },
			feedUrl: new URL(`/feeds/${token}.xml`, sandbox.baseUrl).href,
		}));
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
