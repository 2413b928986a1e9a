import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { secrets } from './credentials';
import type { Fixture } from './fixture';

/** What a tool returns to an agent. */
export interface ToolResult {
	isError?: boolean;
	content: Array<{ type: string; text: string }>;
}

/** Connects as an agent does, to the workflow `mcp-server.json`. */
export async function connect(fixture: Fixture, token = secrets.bearer): Promise<Client> {
	const client = new Client({ name: 'workflow-test', version: '1.0.0' });
	const address = new URL(`${fixture.environment.server.url}/mcp/supercast`);
	const requestInit = { headers: { authorization: `Bearer ${token}` } };
	await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
	return client;
}

/** Calls a tool by its name. */
export async function callTool(
	client: Client,
	name: string,
	args: Record<string, unknown>,
): Promise<ToolResult> {
	return (await client.callTool({ name, arguments: args })) as ToolResult;
}
