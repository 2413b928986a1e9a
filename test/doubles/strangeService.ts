/** A small Supercast over real HTTP. Tests write its answers, for what the sandbox never does. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { renewCredentialId } from '../../harness/engine/credentialsHelper';
import { runSupercast, type RunResult } from '../../harness/engine';
import { startHttpServer, type HttpServer } from '../support/httpServer';

export interface StrangeRequest {
	method: string;
	/** The path without the version, decoded: `['feeds', 'ann@example.com']`. */
	path: string[];
	/** The fields in the body, without their wrapper. */
	fields: IDataObject;
}

export interface StrangeAnswer {
	status: number;
	/** A text is sent as it is, anything else as JSON. Undefined: an empty body. */
	body?: unknown;
	/** Instead of an answer, the connection ends. */
	isReset?: boolean;
}

/** Answers a request in its own way. Returns undefined for the usual way. */
export type Habit = (request: StrangeRequest, service: StrangeService) => StrangeAnswer | undefined;

/** The records, and the requests that it received. */
export class StrangeService {
	readonly subscribers: IDataObject[] = [];
	readonly alerts: IDataObject[] = [];
	readonly received: string[] = [];
	habit: Habit = () => undefined;
	/** How long reads lag behind changes. */
	lagMs = 0;
	mindsCapitals = false;
	private readonly seen: Array<{ at: number; people: IDataObject[] }> = [];
	private made = 0;

	/** Adds a subscriber with an open feed. */
	add(fields: IDataObject): IDataObject {
		const number = ++this.made;
		const record = {
			...{ uuid: `u-${number}`, state: 'available', customer_id: null, first_name: null },
			...{ feed_url: `https://feeds.example.com/feeds/${number}0000000.xml` },
			...{ created_at: '2025-06-01T00:00:00Z', updated_at: '2025-06-01T00:00:00Z' },
			...fields,
		};
		this.subscribers.push(record);
		return record;
	}

	/** All requests that it received, except reads. */
	get changes(): string[] {
		return this.received.filter((one) => !one.startsWith('GET'));
	}

	find(name: string, people: IDataObject[] = this.subscribers): IDataObject | undefined {
		const key = (text: unknown): string =>
			this.mindsCapitals ? String(text) : String(text).toLowerCase();
		return people.find(({ uuid, email }) => uuid === name || key(email) === key(name));
	}

	answer(request: StrangeRequest): StrangeAnswer {
		this.received.push(`${request.method} ${request.path.join('/')}`);
		const now = performance.now();
		if (this.seen.length === 0) this.keep(-Infinity);
		const answer = this.habit(request, this) ?? this.usual(request, now);
		this.keep(now);
		return answer;
	}

	private keep(at: number): void {
		this.seen.push({ at, people: structuredClone(this.subscribers) });
	}

	/** Makes the change, and shows it. */
	usual({ method, path, fields }: StrangeRequest, now = performance.now()): StrangeAnswer {
		const [collection, name] = path;
		if (collection === 'usage_alerts') return this.usualAlert(method, name);
		if (method === 'POST') return { status: 201, body: this.add(fields) };
		const people = method === 'GET' ? this.shownAt(now) : this.subscribers;
		if (name === undefined) return { status: 200, body: people };
		const found = this.find(name, people);
		if (found === undefined) return { status: 404, body: { message: 'Not found' } };
		if (method === 'PATCH') {
			const state = fields.state === 'inactive' ? 'deactivated' : fields.state;
			Object.assign(found, fields, state === undefined ? {} : { state });
		}
		if (method === 'DELETE') this.subscribers.splice(this.subscribers.indexOf(found), 1);
		return { status: 200, body: found };
	}

	private usualAlert(method: string, id: string | undefined): StrangeAnswer {
		const alert = this.alerts.find((one) => String(one.id) === id);
		if (method === 'GET') return { status: 200, body: this.alerts };
		if (alert === undefined) return { status: 404, body: { message: 'Not found' } };
		this.alerts.splice(this.alerts.indexOf(alert), 1);
		return { status: 200, body: alert };
	}

	private shownAt(now: number): IDataObject[] {
		if (this.lagMs === 0) return this.subscribers;
		const old = this.seen.filter(({ at }) => at < now - this.lagMs);
		return old.at(-1)?.people ?? [];
	}
}

/** A strange service and its server. */
export interface RunningService {
	service: StrangeService;
	/** A credential for it, without pacing. */
	credential: { accessToken: string; baseUrl: string; requestsPerMinute: number };
	close(): Promise<void>;
}

/** Starts it on 127.0.0.1. */
export async function startStrangeService(): Promise<RunningService> {
	const service = new StrangeService();
	const server: HttpServer = await startHttpServer((request, response) => {
		void readBody(request).then((body) =>
			send(response, service.answer(readRequest(request, body))),
		);
	});
	const baseUrl = `${server.origin}/api/v1`;
	return {
		service,
		credential: { accessToken: 'a-token-of-the-tests', baseUrl, requestsPerMinute: 0 },
		close: async () => await server.close(),
	};
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}

function readRequest({ method = 'GET', url = '' }: IncomingMessage, text: string): StrangeRequest {
	const [pathname = ''] = url.split('?');
	const path = pathname.replace('/api/v1/', '').split('/').map(decodeURIComponent);
	const body = text === '' ? {} : (JSON.parse(text) as IDataObject);
	const [fields = {}] = Object.values(body) as IDataObject[];
	return { method, path, fields };
}

function send(response: ServerResponse, { status, body, isReset }: StrangeAnswer): void {
	if (isReset === true) {
		response.destroy();
		return;
	}
	const isText = typeof body === 'string';
	response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' });
	response.end(isText || body === undefined ? body : JSON.stringify(body));
}

/** A fresh strange service for each test of a file, and the node that works with it. */
export interface StrangeTest {
	readonly current: StrangeService;
	readonly credential: RunningService['credential'];
	/** Runs the node on n8n's engine. */
	run(parameters: INodeParameters, items?: IDataObject[]): Promise<RunResult>;
}

/** Starts a strange service before each test of a file. */
export function useStrangeService(): StrangeTest {
	let running: RunningService | undefined;
	const now = (): RunningService => {
		if (running === undefined) throw new Error('The strange service exists only during a test');
		return running;
	};
	beforeEach(async () => {
		renewCredentialId();
		running = await startStrangeService();
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
