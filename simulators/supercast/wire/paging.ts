import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../settings';
import { invalid } from './errors';

const DEFAULT_PER_PAGE = 25;

/** The position of a page in its list. */
interface QueuePlace {
	page: number;
	perPage: number;
	total: number;
}

/**
 * One page of a list, with its headers: `X-Page`, `X-Per-Page`, `X-Total` (vendor's client), or
 * those in the settings. The default and the largest page size are inferred.
 */
export function page<T>(
	request: FastifyRequest,
	reply: FastifyReply,
	rows: readonly T[],
	settings: Settings,
): readonly T[] {
	const query = request.query as Record<string, unknown>;
	const number = naturalNumber(query.page) ?? 1;
	const asked = naturalNumber(query.per_page) ?? Math.min(DEFAULT_PER_PAGE, settings.perPageMax);
	if (asked > settings.perPageMax && settings.perPageTooLarge === 'reject') {
		throw invalid('per_page', `must be less than or equal to ${settings.perPageMax}`);
	}
	const perPage = Math.min(asked, settings.perPageMax);
	const place = { page: number, perPage, total: rows.length };
	reply.headers(HEADERS[settings.headers](place, request));
	return rows.slice((number - 1) * perPage, number * perPage);
}

type Headers = (place: QueuePlace, request: FastifyRequest) => Record<string, string | number>;

const HEADERS: Record<Settings['headers'], Headers> = {
	x: ({ page: number, perPage, total }) => ({
		'X-Page': number,
		'X-Per-Page': perPage,
		'X-Total': total,
	}),
	plain: (place, request) => ({
		Page: place.page,
		'Per-Page': place.perPage,
		Total: place.total,
		...links(place, request),
	}),
	total: ({ total }) => ({ 'X-Total': total }),
	none: () => ({}),
};

/** The `Link` header as Rails' most common paging library writes it. */
function links({ page: number, perPage, total }: QueuePlace, request: FastifyRequest): object {
	if (number * perPage >= total) return {};
	const path = request.url.replace(/\?.*$/s, '');
	return { Link: `<${path}?page=${number + 1}&per_page=${perPage}>; rel="next"` };
}

function naturalNumber(value: unknown): number | undefined {
	if (typeof value !== 'string' || !/^[0-9]{1,9}$/.test(value)) return undefined;
	const number = Number(value);
	return number >= 1 ? number : undefined;
}
