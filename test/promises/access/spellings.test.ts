import type { INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { startHttpServer, type HttpServer } from '../../support/httpServer';
import { addMembers, memberListOf, runSync, writesOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0 });
useQuickRuntime({ backoffMs: 2, visibleMs: 10, lateMs: 20 });

const COMPOSED = 'ren\u00e9@example.com';
const DECOMPOSED = 'rene\u0301@example.com';

const byEmail = (value: string) => ({ __rl: true, mode: 'email', value });

async function run(parameters: INodeParameters, credential = credentialOf(sandbox.current)) {
	return await runSupercast({ parameters: { resource: 'subscriber', ...parameters }, credential });
}

it('two spellings of one accent are one person in Sync', async () => {
	const rows = addMembers(sandbox.current, 20, (index) =>
		index === 0 ? { email: COMPOSED, customer_id: null } : {},
	);
	const items = memberListOf(rows);
	items[0] = { email: DECOMPOSED, id: '' };
	const { error } = await runSync(sandbox.current, items, { close: 'all' });
	expect(error).toBeUndefined();
	expect(writesOf(sandbox.current)).toEqual([]);
});

it('two spellings of one accent are one person in Create or Update', async () => {
	await run({ operation: 'create', email: COMPOSED });
	const { output } = await run({ operation: 'upsert', email: DECOMPOSED });
	expect(output[0]!.json).toMatchObject({ action: 'unchanged', email: COMPOSED });
	expect(sandbox.current.state.subscribers).toHaveLength(1);
});

describe('a subscriber whose email is stored in another spelling', () => {
	let server: HttpServer | undefined;
	afterEach(async () => await server?.close());

	it.each([
		['composed', DECOMPOSED, COMPOSED],
		['decomposed', COMPOSED, DECOMPOSED],
		['in Punycode', 'ann@b\u00fccher.example', 'ann@xn--bcher-kva.example'],
	])('%s is deleted once, and the delete succeeds', async (_, typed, stored) => {
		server = await startHttpServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ email: stored, first_name: 'Ann' }));
		});
		const credential = {
			...credentialOf(sandbox.current),
			baseUrl: `${server.origin}/api/v1`,
		};
		const { output, error } = await run(
			{ operation: 'delete', subscriber: byEmail(typed), options: { maxWaitSeconds: 1 } },
			credential,
		);
		expect(error).toBeUndefined();
		expect(output[0]!.json).toMatchObject({ deleted: true });
		expect(server.received).toHaveLength(1);
	});
});
