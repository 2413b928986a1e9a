import type { Credential } from '../../harness/n8n/setup';
import {
	SYSTEMS,
	systemNames,
	systemsOf,
	type MockServers,
	type SystemName,
} from '../../../simulators/memberships';
import type { Sandbox } from '../../../simulators/supercast';

/** Secrets of the credentials that the workflows use. */
export const secrets = {
	header: 'a secret header',
	bearer: 'a secret for agents',
	password: 'a password for support',
};

/**
 * The credentials that the workflows use. That of a membership system is named after the system,
 * and the others after their types.
 */
export function credentials(
	{ accessToken, baseUrl }: Pick<Sandbox, 'accessToken' | 'baseUrl'>,
	smtpPort: number,
	servers: MockServers,
	requestsPerMinute: number,
): Credential[] {
	const shared: Record<string, Record<string, unknown>> = {
		supercastApi: { accessToken, baseUrl, requestsPerMinute },
		smtp: { host: '127.0.0.1', port: smtpPort, secure: false, disableStartTls: true },
		httpHeaderAuth: { name: 'x-secret', value: secrets.header },
		httpBasicAuth: { user: 'support', password: secrets.password },
		httpBearerAuth: { token: secrets.bearer },
	};
	return [
		...Object.entries(shared).map(([type, data]) => ({ id: type, name: type, type, data })),
		...systemNames.flatMap((name) => {
			const credential = SYSTEMS[name].credential?.(servers[name], servers.addressOf(name));
			return credential === undefined ? [] : [{ id: name, name, ...credential }];
		}),
	];
}

/** The credential of this type that a person would choose in a file. */
export function chosenIn(
	file: string,
	type: string,
	servers: MockServers,
): { id: string; name: string } {
	const typeOf = (name: SystemName) =>
		SYSTEMS[name].credential?.(servers[name], servers.addressOf(name)).type;
	const id = systemsOf(file).find((name) => typeOf(name) === type) ?? type;
	return { id, name: id };
}
