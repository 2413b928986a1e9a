/** The simulated Supercast over real HTTP. Tests write its answers, for what the sandbox never does. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { renewCredentialId } from '../harness/engine/credentialsHelper';
import { runSupercast, type RunResult } from '../harness/engine';
import { readBody, startHttpServer } from '../support/httpServer';
import { type Answer, fieldsOf, pathOf, type Request, SimulatedSupercast } from './supercast';

/** A simulated Supercast and its server. */
interface Running {
	service: SimulatedSupercast;
	/** A credential for it, without pacing. */
	credential: { accessToken: string; baseUrl: string; requestsPerMinute: number };
	close(): Promise<void>;
}

/** Starts it on 127.0.0.1. */
async function start(): Promise<Running> {
	const service = new SimulatedSupercast();
	// Otherwise, a create that is sent twice would not show.
	service.onExistingEmail = 'duplicate';
	const server = await startHttpServer((request, response) => {
		void readRequest(request).then((read) => send(response, service.process(read)));
	});
	const baseUrl = `${server.origin}/api/v1`;
	return {
		service,
		credential: { accessToken: 'a-token-of-the-tests', baseUrl, requestsPerMinute: 0 },
		close: async () => await server.close(),
	};
}

async function readRequest(incoming: IncomingMessage): Promise<Request> {
	const { method = 'GET', url = '' } = incoming;
	const text = await readBody(incoming);
	return { method, path: pathOf(url), fields: fieldsOf(JSON.parse(text || '{}')) };
}

function send(response: ServerResponse, { status, headers, body, isReset }: Answer): void {
	if (isReset === true) {
		response.destroy();
		return;
	}
	const isText = typeof body === 'string';
	const type = isText ? 'text/html' : 'application/json';
	response.writeHead(status, { ...headers, 'content-type': type });
	response.end(isText || body === undefined ? body : JSON.stringify(body));
}

/** A fresh service for each test of a file, and the node that works with it. */
export interface HttpTest {
	readonly current: SimulatedSupercast;
	readonly credential: Running['credential'];
	/** Runs the node on n8n's engine. */
	run(parameters: INodeParameters, items?: IDataObject[]): Promise<RunResult>;
}

/** Starts a simulated Supercast before each test of a file. */
export function useHttpSupercast(): HttpTest {
	let running: Running | undefined;
	const now = (): Running => {
		if (running === undefined) throw new Error('The service exists only during a test');
		return running;
	};
	beforeEach(async () => {
		renewCredentialId();
		running = await start();
	});
	afterEach(async () => await running?.close());
	return {
		get current() {
			return now().service;
		},
		get credential() {
			return now().credential;
		},
		run: async (parameters, items) =>
			await runSupercast({ parameters, items, credential: now().credential }),
	};
}
