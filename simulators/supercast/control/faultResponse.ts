import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context';
import type { Fault } from './faults';

const PAGE =
	'<!DOCTYPE html><html><head><title>Bad gateway</title></head>' +
	'<body><h1>Bad gateway</h1></body></html>';

const CUT_OFF = '{"message":"The rest of this never';

/** Whether a fault breaks the connection instead of sending a response. */
export const breaks = ({ kind }: Fault): boolean => !['answer', 'html', 'status'].includes(kind);

/** The status that a fault sends to the client, or how it breaks the connection. */
export function sentStatus(fault: Fault, reply: FastifyReply): number | string {
	if (breaks(fault)) return brokenStatus(fault, reply);
	if (fault.kind === 'answer') return fault.status ?? reply.statusCode;
	return fault.status ?? (fault.kind === 'html' ? 502 : 503);
}

/** Prepares the reply for a fault that does not break the connection, and returns the body. */
export function faultAnswer(
	fault: Fault,
	reply: FastifyReply,
	context: Context,
	processed = '',
): string {
	reply.code(Number(sentStatus(fault, reply)));
	if (fault.kind === 'answer') return changedAnswer(fault, reply, processed);
	const html = fault.kind === 'html';
	for (const name of Object.keys(reply.getHeaders())) {
		if (name !== 'date') reply.removeHeader(name);
	}
	reply.type(html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8');
	if (fault.retryAfter !== null) reply.header('Retry-After', retryAfter(fault, context));
	return html ? PAGE : JSON.stringify({ message: fault.message });
}

function changedAnswer(fault: Fault, reply: FastifyReply, processed: string): string {
	reply.removeHeader('content-length');
	reply.type('application/json; charset=utf-8');
	for (const [name, value] of Object.entries(fault.headers)) {
		if (value === null) reply.removeHeader(name);
		else reply.header(name, value);
	}
	if (fault.body !== undefined) {
		return typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body);
	}
	if (fault.keep === undefined || processed === '') return processed;
	return JSON.stringify(shortened(JSON.parse(processed), fault.keep));
}

function shortened(body: unknown, keep: number): unknown {
	if (Array.isArray(body)) return body.slice(0, keep) as unknown;
	const entries = Object.entries(body as object).map(([name, value]: [string, unknown]) => [
		name,
		Array.isArray(value) ? (value.slice(0, keep) as unknown) : value,
	]);
	return Object.fromEntries(entries) as unknown;
}

function retryAfter(fault: Fault, context: Context): string {
	if (fault.retryAfter !== 'date') return fault.retryAfter ?? '';
	return new Date(Math.ceil(context.now() / 1_000) * 1_000 + 1_000).toUTCString();
}

/** What the log shows if a fault broke the connection. */
export function brokenStatus(fault: Fault, reply: FastifyReply): number | string {
	if (fault.kind !== 'truncated') return fault.kind;
	return fault.when === 'after' ? reply.statusCode : (fault.status ?? 200);
}

/** Breaks the connection as the fault says. Fastify then no longer handles the reply. */
export function breakConnection(
	fault: Fault,
	request: FastifyRequest,
	reply: FastifyReply,
	answer = CUT_OFF,
): void {
	const { socket } = request.raw;
	const sent = brokenStatus(fault, reply);
	reply.hijack();
	if (fault.kind === 'reset') socket.resetAndDestroy();
	if (fault.kind === 'stall') setTimeout(() => socket.destroy(), fault.stallMs).unref();
	if (fault.kind !== 'truncated') return;
	const bytes = Buffer.from(answer);
	reply.raw.writeHead(Number(sent), {
		'Content-Type': 'application/json; charset=utf-8',
		'Content-Length': bytes.length,
	});
	// Without the first half, the client would see only a reset.
	reply.raw.write(bytes.subarray(0, bytes.length >> 1), () => {
		setTimeout(() => socket.destroy(), 5).unref();
	});
}
