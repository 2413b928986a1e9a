import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../options';

const DEFAULT_PER_PAGE = 25;

/**
 * One page of a list as a bare array, with the headers `X-Page`, `X-Per-Page`, `X-Total`
 * (vendor's client). The default and the largest page size are inferred.
 */
export function page<T>(
	request: FastifyRequest,
	reply: FastifyReply,
	rows: readonly T[],
	settings: Settings,
): readonly T[] {
	const query = request.query as Record<string, unknown>;
	const number = naturalNumber(query.page) ?? 1;
	const asked = naturalNumber(query.per_page) ?? DEFAULT_PER_PAGE;
	const perPage = Math.min(asked, settings.perPageMax);
	if (settings.headers) {
		reply.header('X-Page', number);
		reply.header('X-Per-Page', perPage);
		reply.header('X-Total', rows.length);
	}
	return rows.slice((number - 1) * perPage, number * perPage);
}

function naturalNumber(value: unknown): number | undefined {
	if (typeof value !== 'string' || !/^[0-9]{1,9}$/.test(value)) return undefined;
	const number = Number(value);
	return number >= 1 ? number : undefined;
}
