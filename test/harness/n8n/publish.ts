import { Problem } from '../system/problem';
import { RefusedByN8n, type N8nClient } from './setup';

type Requests = Pick<N8nClient, 'request'>;

const publishingPatience = 60_000;

/**
 * Publishes the saved version of a workflow in a running n8n, and waits until its triggers are live.
 * @throws Problem if n8n can't start one of the triggers.
 */
export async function publishWorkflow(client: Requests, id: string): Promise<void> {
	await publishWorkflows(client, [id]);
}

/**
 * Publishes several workflows. n8n starts their triggers while it is asked for the next one.
 * @throws Problem if n8n can't start one of the triggers.
 */
export async function publishWorkflows(client: Requests, ids: string[]): Promise<void> {
	for (const id of ids) {
		const { versionId } = (await client.request('GET', `/workflows/${id}`)) as {
			versionId: string;
		};
		await client.request('POST', `/workflows/${id}/activate`, { versionId });
	}
	for (const id of ids) await untilSettled(client, id);
}

/** Ends what `publishWorkflow` began, and waits until no trigger starts the workflow any more. */
export async function unpublishWorkflow(client: Requests, id: string): Promise<void> {
	await client.request('POST', `/workflows/${id}/deactivate`, {});
	await untilSettled(client, id);
}

/**
 * Waits until the triggers of a workflow are live, or until none is if it is not published.
 * @throws Problem if n8n can't start one of the triggers.
 */
export async function untilSettled(client: Requests, id: string): Promise<void> {
	const deadline = Date.now() + publishingPatience;
	let now = await publication(client, id);
	while (now.status === 'in_progress' && Date.now() < deadline) {
		await new Promise((resolve) => setTimeout(resolve, 50));
		now = await publication(client, id);
	}
	if (now.status === 'published' || now.status === 'not_published') return;
	throw new Problem(`n8n did not publish ${id}, ${now.status}: ${JSON.stringify(now.triggers)}`);
}

/** What n8n says about the triggers of a workflow. */
interface Publication {
	status: 'in_progress' | 'published' | 'not_published' | 'partial' | 'failed';
	triggers: unknown[];
}

/** Since 2.41, n8n publishes after it has responded. Earlier versions have no such status. */
async function publication(client: Requests, id: string): Promise<Publication> {
	try {
		return (await client.request('GET', `/workflows/${id}/publication-status`)) as Publication;
	} catch (error) {
		if (error instanceof RefusedByN8n && error.status === 404)
			return { status: 'published', triggers: [] };
		throw error;
	}
}
