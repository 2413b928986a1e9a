import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, bodyText, type HttpAnswer } from '../system/http';
import { Problem } from '../system/problem';
import { runN8n, type Instance, type N8nServer } from './server';

/** The first account of an n8n instance. */
export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** A credential to import. Its data is plain text, which n8n encrypts. */
export interface Credential {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
}

/** The parts of a workflow file that the harness reads or fills in. */
export interface Workflow {
	id: string;
	name: string;
	nodes: WorkflowNode[];
	[part: string]: unknown;
}

/** A node of a workflow. */
export interface WorkflowNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	[part: string]: unknown;
}

/** A request that n8n did not accept. */
export class RefusedByN8n extends Problem {
	constructor(
		message: string,
		readonly status: number,
	) {
		super(message);
	}
}

/** Calls n8n's own REST API as a user who is logged in. */
export interface N8nClient {
	request: (method: string, path: string, json?: unknown) => Promise<unknown>;
	/** The session's cookie, `name=value`. */
	cookie: string;
}

/** The login for every n8n that this process starts. */
export const demoOwner: Owner = {
	email: 'demo@example.com',
	// Random, because other programs on this machine, and web pages by DNS rebinding, can reach n8n.
	// n8n requires a capital letter and a digit.
	password: `${randomBytes(9).toString('base64url')}-A1`,
	firstName: 'Demo',
	lastName: 'Owner',
};

/** Imports credentials before the server starts. Replaces one with the same ID. */
export async function importCredentials(instance: Instance, list: Credential[]): Promise<void> {
	await importFile(instance, 'import:credentials', list);
}

/** Imports workflows before the server starts, and publishes them. n8n runs them once it has started. */
export async function importWorkflows(instance: Instance, list: Workflow[]): Promise<void> {
	await importDrafts(instance, list);
	// n8n 2 calls this publishing.
	const isFirst = instance.install.version.startsWith('1.');
	const publish = isFirst ? ['update:workflow', '--active=true'] : ['publish:workflow'];
	for (const { id } of list) await runN8n(instance, [...publish, `--id=${id}`]);
}

/** Imports workflows before the server starts, and leaves them unpublished. */
async function importDrafts(instance: Instance, list: Workflow[]): Promise<void> {
	// n8n 1 imports a workflow only if it says whether it is active.
	const complete = list.map((workflow) => ({ active: false, ...workflow }));
	await importFile(instance, 'import:workflow', complete);
}

/**
 * Creates credentials in a running n8n, which chooses their IDs.
 * @returns The same credentials with these IDs, in the same order.
 */
export async function createCredentials(
	client: Pick<N8nClient, 'request'>,
	list: Credential[],
): Promise<Credential[]> {
	return await Promise.all(
		list.map(async ({ name, type, data }) => {
			const made = await client.request('POST', '/credentials', { name, type, data });
			return { ...(made as { id: string }), name, type, data };
		}),
	);
}

/** Creates workflows in a running n8n, under their own IDs, and leaves them unpublished. */
export async function createDrafts(
	client: Pick<N8nClient, 'request'>,
	list: Workflow[],
): Promise<void> {
	for (const workflow of list) await client.request('POST', '/workflows', workflow);
}

/** Replaces the IDs of credentials in the nodes of workflows, by the pairs in `ids`. */
export function withCredentialIds(list: Workflow[], ids: ReadonlyMap<string, string>): Workflow[] {
	return list.map((workflow) => {
		const nodes = workflow.nodes.map((node) => {
			const used = Object.entries(node.credentials ?? {}).map(([type, { id, name }]) => [
				type,
				{ id: ids.get(id) ?? id, name },
			]);
			return used.length === 0
				? node
				: { ...node, credentials: Object.fromEntries(used) as object };
		});
		return { ...workflow, nodes } as Workflow;
	});
}

/** Reads a workflow file and sets the credential of its Supercast nodes. */
export function readWorkflow(file: string, credential: Credential): Workflow {
	const workflow = JSON.parse(readFileSync(file, 'utf8')) as Workflow;
	const { id, name, type } = credential;
	const nodes = workflow.nodes.map((node) =>
		node.type.startsWith('n8n-nodes-supercast.')
			? { ...node, credentials: { [type]: { id, name } } }
			: node,
	);
	return { ...workflow, nodes };
}

/** Creates the first account, and logs in with it. */
export async function setUpOwner(server: N8nServer, owner = demoOwner): Promise<N8nClient> {
	const answer = await ask(`${server.url}/rest/owner/setup`, { method: 'POST', json: owner });
	return clientOf(server, answer, 'set up its first account');
}

/** Logs in to an n8n that has an account. */
export async function logIn(server: N8nServer, owner = demoOwner): Promise<N8nClient> {
	const json = { emailOrLdapLoginId: owner.email, password: owner.password };
	const answer = await ask(`${server.url}/rest/login`, { method: 'POST', json });
	return clientOf(server, answer, 'log in');
}

function clientOf(server: N8nServer, login: HttpAnswer, action: string): N8nClient {
	if (login.status !== 200) {
		throw new Problem(`n8n did not ${action}: ${login.status} ${bodyText(login)}`);
	}
	const cookie = login.headers
		.getSetCookie()
		.map((line) => line.split(';')[0])
		.join('; ');
	const request: N8nClient['request'] = async (method, path, json) => {
		const answer = await patiently(
			async () => await ask(`${server.url}/rest${path}`, { method, json, headers: { cookie } }),
		);
		if (answer.status < 300) return (answer.body as { data?: unknown }).data;
		const said = `${answer.status} ${bodyText(answer)}`;
		throw new RefusedByN8n(`n8n refused ${method} ${path}: ${said}`, answer.status);
	};
	return { request, cookie };
}

/** On a busy machine, n8n sometimes refuses every request, because its database was slow. */
async function patiently(send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
	const deadline = Date.now() + 30_000;
	for (;;) {
		const answer = await send();
		const isBusy = answer.status === 503 && /Database is not ready/.test(bodyText(answer));
		if (!isBusy || Date.now() > deadline) return answer;
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
}

async function importFile(instance: Instance, command: string, list: unknown[]): Promise<void> {
	const file = join(instance.userFolder, 'import.json');
	writeFileSync(file, JSON.stringify(list), { mode: 0o600 });
	try {
		await runN8n(instance, [command, `--input=${file}`]);
	} finally {
		rmSync(file, { force: true });
	}
}
