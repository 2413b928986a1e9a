import { startNode, type RunningProgram } from '../../harness/system/processes';
import { ensureN8n } from '../../harness/n8n/install';
import { createInstance, type Instance } from '../../harness/n8n/server';
import { importCredentials, importWorkflows, type Workflow } from '../../harness/n8n/setup';
import { installPackage, packPackage } from '../../harness/n8n/package';
import { credentialFor } from '../../harness/environment';
import type { Sandbox } from '../../../simulators/supercast';
import { queryDatabase } from './database';

/** n8n polls at most once a minute per expression. Twelve expressions poll every five seconds. */
export const everyFiveSeconds = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

/** A real n8n with a workflow that starts with the trigger and does nothing more. */
export async function triggerInstance(sandbox: Sandbox, userFolder: string): Promise<Instance> {
	const install = await ensureN8n();
	const tarball = await packPackage();
	const instance = await createInstance(install, userFolder);
	await installPackage(tarball, userFolder);
	const credential = credentialFor(sandbox);
	await importCredentials(instance, [credential]);
	await importWorkflows(instance, [triggerWorkflow(credential)]);
	return instance;
}

/** Starts the server without waiting for it. */
export function launch({ install, env, logFile, userFolder }: Instance): RunningProgram {
	return startNode(install.node, [install.cli, 'start'], { cwd: userFolder, env, logFile });
}

/** Ends the server and its helpers as a power cut would. */
export async function killOutright(program: RunningProgram): Promise<void> {
	process.kill(-program.pid, 'SIGKILL');
	await program.ended;
}

/** The content of n8n's database: the data of each execution, as text, and the workflow's memory. */
export function readDatabase(instance: Instance): { executions: string[]; memory: string } {
	const executions = queryDatabase<{ data: string }>(instance, 'SELECT data FROM execution_data');
	const [workflow] = queryDatabase<{ staticData: string | null }>(
		instance,
		'SELECT staticData FROM workflow_entity',
	);
	return { executions: executions.map(({ data }) => data), memory: workflow!.staticData ?? '' };
}

function triggerWorkflow(credential: { id: string; name: string; type: string }): Workflow {
	const { id, name, type } = credential;
	return {
		id: 'alertsArrive',
		name: 'Alerts arrive',
		settings: { executionOrder: 'v1' },
		nodes: [
			{
				id: '00000000-0000-4000-8000-000000000001',
				name: 'Supercast Trigger',
				type: 'n8n-nodes-supercast.supercastTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {
					authentication: 'accessToken',
					event: 'usageAlertCreated',
					options: {},
					pollTimes: { item: everyFiveSeconds },
				},
				credentials: { [type]: { id, name } },
			},
			{
				id: '00000000-0000-4000-8000-000000000002',
				name: 'Done',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [240, 0],
				parameters: {},
			},
		],
		connections: {
			'Supercast Trigger': { main: [[{ node: 'Done', type: 'main', index: 0 }]] },
		},
	};
}
