import { ask } from '../../harness/system/http';
import { grants, tokenRequests } from './support/oauthGrants';
import { filesWithSecrets } from './support/secrets';
import { chain, readSteps, webhook } from './support/workflows';
import { startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';

const TOKEN_TTL_S = 4;
const EXPIRIES = 20;
const AT_ONCE = 50;

let environment: E2eEnvironment;

beforeAll(async () => {
	environment = await startE2eEnvironment('oauth-load', {
		sandbox: { tokenTtlS: TOKEN_TTL_S, logSize: 100_000 },
		credentials: async (sandbox) =>
			await Promise.all(grants.map(async ({ credential }) => await credential(sandbox))),
		workflows: grants.map(({ path }) =>
			chain(path, webhook(path), { id: path, name: path }, readSteps),
		),
	});
});
afterAll(async () => await environment?.stop());

async function runOnce(path: string): Promise<number> {
	return (await ask(`${environment.server.url}/webhook/${path}`, { method: 'POST', json: {} }))
		.status;
}

/** What the editor shows of executions that did not succeed. */
async function failures(): Promise<string[]> {
	const filter = encodeURIComponent(JSON.stringify({ status: ['error', 'crashed'] }));
	const found = await environment.client.request('GET', `/executions?limit=5&filter=${filter}`);
	const { results } = found as { results: Array<{ id: string }> };
	return await Promise.all(
		results.map(async ({ id }) => {
			const execution = await environment.client.request('GET', `/executions/${id}`);
			const { data } = execution as { data: string };
			return /"([^"]*\[item \d+, [^\]]*\])"/.exec(data)?.[1] ?? data.slice(0, 2000);
		}),
	);
}

describe.each(grants)('$path: rounds of 50 executions at the same time', ({ path, requested }) => {
	it('fails none, uses no token twice, and requests one token at each expiry', async () => {
		environment.sandbox.reset();
		const statuses: Record<number, number> = {};
		const started = Date.now();
		while (tokenRequests(environment.sandbox, requested).length <= EXPIRIES) {
			const wave = Array.from({ length: AT_ONCE }, async () => await runOnce(path));
			for (const status of await Promise.all(wave)) {
				statuses[status] = (statuses[status] ?? 0) + 1;
			}
		}
		const seconds = Math.round((Date.now() - started) / 1000);
		const requests = tokenRequests(environment.sandbox, requested);
		const { refreshReuse, familiesRevoked } = environment.sandbox.state.oauth;
		process.stdout.write(
			`${path}: ${JSON.stringify(statuses)} in ${seconds} s, ${requests.length} token requests\n`,
		);
		expect(await failures()).toEqual([]);
		expect(Object.keys(statuses)).toEqual(['200']);
		expect({ refreshReuse, familiesRevoked }).toEqual({ refreshReuse: 0, familiesRevoked: 0 });
		expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 200));
		const times = requests.map(({ time }) => Date.parse(time));
		const pauses = times.slice(1).map((time, index) => time - times[index]!);
		// A token that is requested before the last one has expired would be one too many.
		expect(Math.min(...pauses)).toBeGreaterThanOrEqual(TOKEN_TTL_S * 1000 - 20);
	});
});

it('leaves no secret in any log, execution or other file of n8n', () => {
	expect(environment.sandbox.state.secrets.length).toBeGreaterThan(2 * EXPIRIES);
	expect(filesWithSecrets(environment)).toEqual([]);
});
