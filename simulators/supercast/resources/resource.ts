import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context';
import type { Store } from '../data/database';
import type { Table } from '../data/table';
import type { Settings } from '../settings';
import type { ListKey, Lists } from '../data/lists';
import { answerList, answerRecord } from '../wire/answers';
import { unwrap } from '../wire/bodies';
import { notFound, unknownUrl } from '../wire/errors';
import { page } from '../wire/paging';
import { validate, type Schema } from '../wire/validation';

/** The result of a create request: the record, and whether it already existed. */
export interface Created<T> {
	row: T;
	existed?: boolean;
}

/** One list of the API and its records. Requests for a missing operation get a 404. */
interface Definition<Key extends ListKey, C, U> {
	list: Key;
	/** The singular name that wraps request bodies. */
	name: string;
	/** Adds a made-up record, unless it would have nothing to refer to. */
	grow: (database: Store, time: string) => Lists[Key] | undefined;
	/** The record as the API returns it. The default is the record as stored. */
	view?: (row: Lists[Key], context: Context) => object;
	readOne?: boolean;
	create?: {
		schema: Schema<C>;
		run(input: C, context: Context): Created<Lists[Key]>;
		/** Whether this operation exists. The default is true. */
		exists?(settings: Settings): boolean;
	};
	update?: { schema: Schema<U>; run(row: Lists[Key], input: U, context: Context): void };
	/** `true` only deletes the record. A function also changes what depends on it. */
	remove?: true | ((row: Lists[Key], context: Context) => void);
}

/** A resource, as the other parts of the sandbox see it. */
export interface ApiList {
	/** Adds a made-up record. */
	grow: (database: Store, time: string) => object | undefined;
	/** Registers the routes (paths and methods: vendor's client). */
	register: (api: FastifyInstance, context: Context) => void;
}

/**
 * Finds the record by the `{id}` or `{uuid or email}` in the path. Responds with 404 if there is
 * none.
 */
export function named<T extends object>(
	table: Table<T>,
	request: FastifyRequest,
	name: string,
	context: Context,
): T {
	const { database, settings } = context;
	const { id } = request.params as { id: string };
	const row = table.find(id, settings.emailLookup) ?? ghost(id, request, table, context);
	const isThere = row && (request.method !== 'GET' || database.isVisible(row, context.now()));
	if (!isThere) throw notFound(name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '));
	return row;
}

/** A deleted subscriber that a read still finds. */
function ghost<T extends object>(
	name: string,
	{ method }: FastifyRequest,
	table: Table<T>,
	{ database, now }: Context,
): T | undefined {
	if (method !== 'GET' || (table as object) !== database.lists.subscribers) return undefined;
	const isIt = ({ uuid, email }: { uuid: string; email: string }): boolean =>
		uuid === name || email.toLowerCase() === name.toLowerCase();
	return database.ghosts(now()).find(isIt) as T | undefined;
}

/** Only the parameters in the request. The record keeps its values for all others. */
export function given<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], undefined> } {
	const entries = Object.entries(input).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** The rows of a list, with deleted subscribers that reads still show. */
function rowsToShow<T extends object>(
	table: Table<T>,
	{ database, settings, now }: Context,
): readonly T[] {
	const rows = database.visible(table.rows(settings.order), now());
	const isSubscribers = (table as object) === database.lists.subscribers;
	const gone = isSubscribers ? (database.ghosts(now()) as object[] as T[]) : [];
	return gone.length === 0 ? rows : [...rows, ...gone];
}

/** Creates a resource from its definition. */
export function resource<Key extends ListKey, C, U>(definition: Definition<Key, C, U>): ApiList {
	const { list, name, grow, view = (row) => row } = definition;
	const plural = list.replace(/[A-Z]/g, '_$&').toLowerCase();
	const register = (api: FastifyInstance, context: Context): void => {
		const { settings } = context;
		const table = (): Table<Lists[Key]> => context.database.lists[list];
		const find = (request: FastifyRequest): Lists[Key] => named(table(), request, name, context);
		const answer = (reply: FastifyReply, row: Lists[Key], to: 'change' | 'read'): void =>
			answerRecord(reply, { name, view: view(row, context), to }, context);

		api.get(`/${plural}`, (request, reply) => {
			const rows = rowsToShow(table(), context);
			const shown = page(request, reply, rows, settings).map((row) =>
				context.database.shown(row, context.now()),
			);
			answerList(reply, { name, plural, views: shown.map((row) => view(row, context)) }, context);
		});
		const { readOne, create, update, remove } = definition;
		if (readOne)
			api.get(`/${plural}/:id`, (request, reply) => {
				answer(reply, context.database.shown(find(request), context.now()), 'read');
			});
		if (create) {
			api.post(`/${plural}`, (request, reply) => {
				if (create.exists?.(settings) === false) throw unknownUrl();
				const input = validate(create.schema, unwrap(request.body, name, settings), settings);
				const { row, existed = false } = create.run(input, context);
				const delay = existed ? 0 : settings.visibleAfterMs;
				if (delay > 0) context.database.hideUntil(row, context.now() + delay);
				answerRecord(reply, { name, view: view(row, context), to: 'create', existed }, context);
			});
		}
		if (update) {
			api.patch(`/${plural}/:id`, (request, reply) => {
				const row = find(request);
				const body = unwrap(request.body, name, settings);
				update.run(row, validate(update.schema, body, settings), context);
				answer(reply, row, 'change');
			});
		}
		// The response to a DELETE is not documented. It is the deleted record, or nothing.
		if (remove) {
			api.delete(`/${plural}/:id`, (request, reply) => {
				const row = find(request);
				if (remove === true) table().remove(row);
				else remove(row, context);
				answer(reply, row, 'change');
			});
		}
	};
	return { grow, register };
}
