import { ask, bodyText, type HttpAnswer } from './system/http';
import { isKnown, type Listener, type SandboxAddress } from './sandbox';

/** The state before and after a membership system reported a cancellation to n8n. */
export interface Cancellation {
	feedBefore: number;
	webhook: HttpAnswer;
	feedAfter: number;
	/** Whether the sandbox still has the subscriber. */
	stillKnown: boolean;
}

/** Cancels a membership as a membership system does, and watches the subscriber's feed. */
export async function cancelMembership(
	sandbox: SandboxAddress,
	listener: Listener,
	tellN8n: () => Promise<HttpAnswer>,
): Promise<Cancellation> {
	const feedBefore = (await ask(listener.feedUrl)).status;
	const webhook = await tellN8n();
	const feedAfter = (await ask(listener.feedUrl)).status;
	const stillKnown = await isKnown(sandbox, listener);
	return { feedBefore, webhook, feedAfter, stillKnown };
}

/** One sentence about why access did not really end. Undefined if it did. */
export function failureOf({ feedBefore, webhook, feedAfter }: Cancellation): string | undefined {
	if (feedBefore !== 200)
		return `the feed responded with ${feedBefore} before, so the run proves nothing`;
	if (webhook.status >= 300) {
		return `n8n responded with ${webhook.status}, and the feed now responds with ${feedAfter}. Reason: ${reasonOf(webhook)}`;
	}
	return feedAfter === 403
		? undefined
		: `the feed still responds with ${feedAfter}, but 403 was expected`;
}

function reasonOf(answer: HttpAnswer): string {
	const { error, message } = (answer.body ?? {}) as { error?: unknown; message?: unknown };
	const reason = error ?? message;
	return typeof reason === 'string' ? reason : bodyText(answer);
}
