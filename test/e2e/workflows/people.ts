import type { Fixture } from './fixture';

/** Someone in the sandbox, as the sandbox stores them. */
export type Person = Fixture['sandbox']['state']['subscribers'][number];

/** Sends a request to the sandbox as the owner of the channel. */
export async function asOwner(fixture: Fixture, method: string, path: string, json?: object) {
	const { baseUrl, accessToken } = fixture.sandbox;
	const response = await fetch(`${baseUrl}${path}`, {
		method,
		body: json === undefined ? undefined : JSON.stringify(json),
		headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
	});
	if (response.status >= 300) {
		throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
	}
}

/** Adds a subscriber. */
export async function addListener(fixture: Fixture, email: string): Promise<void> {
	await asOwner(fixture, 'POST', '/subscribers', { subscriber: { email } });
}

/** Sets the feed of a subscriber to a state. */
export async function setFeed(fixture: Fixture, email: string, state: string): Promise<void> {
	await asOwner(fixture, 'PATCH', `/feeds/${encodeURIComponent(email)}`, { feed_token: { state } });
}

/** Finds someone by email. */
export function person(fixture: Fixture, email: string): Person | undefined {
	return fixture.sandbox.state.subscribers.find((one) => one.email === email);
}

/** Requests of one kind that reached the sandbox, such as `PATCH /feeds`. */
export function requests(fixture: Fixture, route: string): number {
	return fixture.sandbox.state.requests.filter((one) => one.route.startsWith(route)).length;
}
