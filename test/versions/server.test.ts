import { setTimeout as sleep } from 'node:timers/promises';

import { cancelMembership, failureOf } from '../harness/cancellation';
import { ask } from '../harness/system/http';
import { readWorkflow, type Credential, type Workflow } from '../harness/n8n/setup';
import { firstListener } from '../harness/sandbox';
import { cancellationWorkflow, credentialFor } from '../harness/environment';
import type { Sandbox } from '../../simulators/supercast';
import { connect } from '../simulators/supercast/oauthHelpers';
import { alertWorkflow, listWorkflow } from './workflows';
import { startVersion, type VersionEnvironment } from './serverEnvironment';

jest.setTimeout(300_000);

/** There are twelve polls in a minute, and a busy machine needs time to start the first execution. */
const TRIGGER_PATIENCE_MS = 60_000;

const token = (sandbox: Sandbox): Credential => credentialFor(sandbox);

function oAuth2(sandbox: Sandbox, id: string, data: object): Credential {
	const { clientId, clientSecret, authUrl, accessTokenUrl, baseUrl } = sandbox;
	const application = { clientId, clientSecret, authUrl, accessTokenUrl };
	const settings = { baseUrl, scope: 'public write', requestsPerMinute: 0 };
	const type = 'supercastOAuth2Api';
	return { id, name: id, type, data: { ...application, ...settings, ...data } };
}

async function credentials(sandbox: Sandbox): Promise<Credential[]> {
	const { body: oauthTokenData } = await connect(sandbox);
	return [
		token(sandbox),
		oAuth2(sandbox, 'authorizationCode', { grantType: 'authorizationCode', oauthTokenData }),
		oAuth2(sandbox, 'clientCredentials', { grantType: 'clientCredentials' }),
	];
}

/** Workflows refer to a credential only by its name. */
const named = credentialFor({ accessToken: '', baseUrl: '' });

const workflows: Workflow[] = [
	readWorkflow(cancellationWorkflow.file, named),
	listWorkflow('authorizationCode'),
	listWorkflow('clientCredentials'),
	alertWorkflow(named),
];

let environment: VersionEnvironment;

beforeAll(async () => {
	environment = await startVersion(workflows, credentials);
});
afterAll(async () => await environment.stop());

it('closes the feed of a member who has cancelled', async () => {
	const { sandbox, url } = environment;
	const listener = await firstListener(sandbox);
	const webhook = `${url}/webhook/${cancellationWorkflow.webhookPath}`;
	const json = { email: listener.email };
	const seen = await cancelMembership(
		sandbox,
		listener,
		async () => await ask(webhook, { method: 'POST', json }),
	);
	expect([failureOf(seen), seen.stillKnown]).toEqual([undefined, false]);
});

it.each([
	['authorizationCode', 'refresh_token', 2],
	['clientCredentials', 'client_credentials', 3],
])('continues with %s when the token expires, and expires again', async (path, grant, count) => {
	const { sandbox, url } = environment;
	for (let run = 1; run <= 3; run++) {
		const { status, body } = await ask(`${url}/webhook/${path}`, { method: 'POST' });
		expect([status, body]).toEqual([200, expect.objectContaining({ email: expect.any(String) })]);
		sandbox.controls.expireTokens();
	}
	const { issued, refreshReuse } = sandbox.state.oauth;
	expect([issued[grant], refreshReuse]).toEqual([count, 0]);
});

it('starts a workflow for each new usage alert', async () => {
	const { controls, state } = environment.sandbox;
	const [alert] = controls.addUsageAlerts(1);
	const dismissals = () => state.requests.filter(({ method }) => method === 'PATCH');
	const deadline = Date.now() + TRIGGER_PATIENCE_MS;
	while (dismissals().length === 0 && Date.now() < deadline) {
		await sleep(200);
	}
	expect(dismissals().map(({ path, status }) => [path, status])).toEqual([
		[expect.stringContaining(`/${alert!.id}/dismiss`), 200],
	]);
});
