import type { FastifyReply } from 'fastify';
import type { Context } from '../context';
import type { Settings } from '../settings';
import { errorPage, type ApiError } from './errors';

/** A record to send: its fields, and the name that may wrap it. */
export interface Outgoing {
	/** The singular name, such as `usage_alert`. */
	name: string;
	view: unknown;
	to: 'read' | 'create' | 'change';
	/** Whether a create request found an existing record. */
	existed?: boolean;
}

const TIMES = new Set(['created_at', 'updated_at', 'published_at']);

/** The fields that the reference calls "All in only". */
const ALL_IN = new Set(['time_zone', 'plan_price_cents', 'plan_price_currency']);

/** Sends one record, or nothing if the settings say so. */
export function answerRecord(reply: FastifyReply, outgoing: Outgoing, context: Context): void {
	const { settings } = context;
	const status = statusOf(outgoing, settings);
	const isEmpty = outgoing.to !== 'read' && (status === 204 || !settings.writeBodies);
	reply.code(status);
	if (isEmpty) return void reply.send();
	const view = shown(outgoing.view, settings);
	reply.send(settings.wrapRecords === 'name' ? { [outgoing.name]: view } : view);
}

function statusOf({ to, existed }: Outgoing, { createdStatus, changedStatus }: Settings): number {
	if (to === 'read') return 200;
	if (to === 'change') return changedStatus;
	return existed === true && createdStatus === 201 ? 200 : createdStatus;
}

/** Sends one page of a list. */
export function answerList(
	reply: FastifyReply,
	list: { name: string; plural: string; views: unknown[] },
	{ settings }: Context,
): void {
	const views = list.views.map((view) => shown(view, settings));
	const body = {
		none: () => views,
		name: () => ({ [list.plural]: views }),
		data: () => ({ data: views }),
		each: () => views.map((view) => ({ [list.name]: view })),
	}[settings.wrapLists]();
	reply.send(body);
}

/** Sends an error in Supercast's format, or as a web page. */
export function answerError(
	reply: FastifyReply,
	error: ApiError,
	{ webPages, errorBody }: Pick<Settings, 'webPages' | 'errorBody'>,
): FastifyReply {
	const isPage =
		webPages === 'always' ||
		(webPages === 'notFound' && error.status === 404) ||
		(webPages === 'unknownAddress' && error.isUnknownAddress);
	reply.code(error.status);
	if (isPage) return reply.type('text/html; charset=utf-8').send(errorPage(error));
	return reply.send(error.body(errorBody));
}

/**
 * The record with its times in the format of the settings, and without the fields that ordinary
 * channels lack.
 */
function shown(view: unknown, settings: Settings): unknown {
	if (settings.dates === 'utc' && settings.allInFields) return view;
	if (Array.isArray(view)) return view.map((inner) => shown(inner, settings));
	if (typeof view !== 'object' || view === null) return view;
	const isPerson = 'customer_id' in view || 'channel_subdomain' in view;
	const entries = Object.entries(view)
		.filter(([name]) => settings.allInFields || !isPerson || !ALL_IN.has(name))
		.map(([name, value]: [string, unknown]) => [
			name,
			TIMES.has(name) && typeof value === 'string' ? time(value, settings) : shown(value, settings),
		]);
	return Object.fromEntries(entries) as unknown;
}

const HOURS_WEST = 5;

function time(utc: string, { dates }: Settings): unknown {
	const moment = Date.parse(utc);
	if (dates === 'unix') return Math.floor(moment / 1_000);
	if (dates === 'utc') return utc;
	const local = new Date(moment - HOURS_WEST * 3_600_000).toISOString();
	return local.replace('Z', `-0${HOURS_WEST}:00`);
}
