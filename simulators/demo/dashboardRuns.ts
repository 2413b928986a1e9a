import type { N8nClient } from '../../test/harness/n8n/setup';

/** An n8n that the dashboard can ask about its executions. */
export interface DashboardN8n {
	/** Address of the editor. */
	url: string;
	client: Pick<N8nClient, 'request'>;
	/** Logs in, and returns the cookie of the new session, `name=value`. */
	logIn: () => Promise<string>;
	/** IDs of the workflows that open and close feeds. */
	memberWorkflows: string[];
}

/** An execution of a workflow, with times in milliseconds since 1970. */
export interface Run {
	id: string;
	workflowId: string;
	workflow: string;
	status: string;
	/** Whether n8n ran it because an earlier execution failed. */
	isAboutFailure: boolean;
	startedAt: number;
	/** The current time while it is running. */
	stoppedAt: number;
	/** Path of the execution in the editor. */
	path: string;
}

interface Execution {
	id: string;
	workflowId: string;
	workflowName?: string;
	status: string;
	mode: string;
	startedAt: string | null;
	stoppedAt: string | null;
}

/** The newest executions, newest first. Empty if n8n does not answer. */
export async function newestRuns(n8n: DashboardN8n | undefined, now: number): Promise<Run[]> {
	if (n8n === undefined) return [];
	const found = await n8n.client.request('GET', '/executions?limit=100').catch(() => undefined);
	const { results = [] } = (found ?? {}) as { results?: Execution[] };
	return results.map((one) => ({
		id: one.id,
		workflowId: one.workflowId,
		workflow: one.workflowName ?? 'A workflow',
		status: one.status,
		isAboutFailure: one.mode === 'error',
		startedAt: one.startedAt === null ? now : Date.parse(one.startedAt),
		stoppedAt: one.stoppedAt === null ? now : Date.parse(one.stoppedAt),
		path: `/workflow/${one.workflowId}/executions/${one.id}`,
	}));
}

/** Of these runs, those that open and close feeds. */
export function syncRunsAmong(runs: Run[], { memberWorkflows }: DashboardN8n): Run[] {
	return runs.filter(
		({ workflowId, isAboutFailure }) => memberWorkflows.includes(workflowId) && !isAboutFailure,
	);
}
