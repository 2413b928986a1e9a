import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context';
import { answerList, answerRecord } from '../wire/answers';
import { unwrap } from '../wire/bodies';
import { notFound, unknownUrl } from '../wire/errors';
import { page } from '../wire/paging';
import type { Table } from '../data/table';
import type { Database } from '../data/database';
import type { Settings } from '../settings';
import { storedEmail, validate, type Schema } from '../wire/validation';

/** The result of a create: the record, and whether it existed before. */
export interface Created<T> {
	row: T;
	existed?: boolean;
}

/** One resource of the API. An operation that is left out gets a 404. */
export interface ResourceRoutes<T extends object, C, U> {
	/** e.g. `/episodes`. */
	path: string;
	/** The singular name that wraps its bodies. */
	name: string;
	table(database: Database): Table<T>;
	/** The record as the API shows it. */
	view: (row: T, context: Context) => unknown;
	readOne?: boolean;
	create?: {
		schema: Schema<C>;
		run(input: C, context: Context): Created<T>;
		/** Whether such an operation exists. The default is true. */
		exists?(settings: Settings): boolean;
	};
	update?: { schema: Schema<U>; run(row: T, input: U, context: Context): void };
	remove?(row: T, context: Context): void;
}

/** The record that a path names, by `{id}` or by `{uuid or email}`. Otherwise a 404. */
export function named<T extends object>(
	table: Table<T>,
	request: FastifyRequest,
	name: string,
	context: Context,
): T {
	const { database, settings } = context;
	const { id } = request.params as { id: string };
	const called = settings.storedEmails === 'normalized' ? storedEmail(id, settings) : id;
	const row = table.find(called, settings.emailLookup);
	const isThere = row && (request.method !== 'GET' || database.isVisible(row, context.now()));
	if (!isThere) throw notFound(name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '));
	return row;
}

/** The parameters that were given. The record keeps its values for all others. */
export function given<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], undefined> } {
	const entries = Object.entries(input).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** Registers the routes of a resource (paths and methods: vendor's client). */
export function registerResource<T extends object, C, U>(
	api: FastifyInstance,
	context: Context,
	resource: ResourceRoutes<T, C, U>,
): void {
	const { path, name, update } = resource;
	const table = (): Table<T> => resource.table(context.database);
	const find = (request: FastifyRequest): T => named(table(), request, name, context);
	api.get(path, (request, reply) => {
		const { settings, database } = context;
		const rows = database.visible(table().rows(settings.order), context.now());
		const views = page(request, reply, rows, settings).map((row) => resource.view(row, context));
		answerList(reply, { name, plural: path.slice(1), views }, context);
	});
	if (resource.readOne) {
		api.get(`${path}/:id`, (request, reply) => {
			const view = resource.view(find(request), context);
			answerRecord(reply, { name, view, to: 'read' }, context);
		});
	}
	registerCreate(api, context, resource);
	if (update) {
		api.patch(`${path}/:id`, (request, reply) => {
			const { settings } = context;
			const row = find(request);
			const body = unwrap(request.body, name, settings);
			update.run(row, validate(update.schema, body, settings), context);
			const view = resource.view(row, context);
			answerRecord(reply, { name, view, to: 'change' }, context);
		});
	}
	registerRemove(api, context, resource);
}

function registerCreate<T extends object, C, U>(
	api: FastifyInstance,
	context: Context,
	{ path, name, create, view }: ResourceRoutes<T, C, U>,
): void {
	if (!create) return;
	api.post(path, (request, reply) => {
		const { settings, database } = context;
		if (create.exists?.(settings) === false) throw unknownUrl();
		const input = validate(create.schema, unwrap(request.body, name, settings), settings);
		const { row, existed = false } = create.run(input, context);
		const delay = existed ? 0 : settings.visibleAfterMs;
		if (delay > 0) database.hideUntil(row, context.now() + delay);
		answerRecord(reply, { name, view: view(row, context), to: 'create', existed }, context);
	});
}

/** The response to a DELETE is not documented: the record as it last was, or nothing. */
function registerRemove<T extends object, C, U>(
	api: FastifyInstance,
	context: Context,
	resource: ResourceRoutes<T, C, U>,
): void {
	if (!resource.remove) return;
	api.delete(`${resource.path}/:id`, (request, reply: FastifyReply) => {
		const { name } = resource;
		const row = named(resource.table(context.database), request, name, context);
		resource.remove?.(row, context);
		answerRecord(reply, { name, view: resource.view(row, context), to: 'change' }, context);
	});
}
