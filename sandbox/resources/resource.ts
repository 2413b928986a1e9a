import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context';
import { unwrap } from '../server/bodies';
import { notFound } from '../server/errors';
import { page } from '../server/paging';
import type { Table } from '../data/table';
import type { Database } from '../data/database';
import { validate, type Schema } from '../server/validation';

/** What became of a create: the record, and 201 unless another code says more. */
export interface Created<T> {
	row: T;
	status?: number;
}

/** One resource of the API; an operation that is left out is a 404. */
export interface Resource<T extends object, C, U> {
	/** e.g. `/episodes`. */
	path: string;
	/** The singular name that wraps its bodies. */
	name: string;
	table(database: Database): Table<T>;
	/** The record as the API shows it. */
	view(row: T, context: Context): unknown;
	readOne?: boolean;
	create?: { schema: Schema<C>; run(input: C, context: Context): Created<T> };
	update?: { schema: Schema<U>; run(row: T, input: U, context: Context): void };
	remove?(row: T, context: Context): void;
}

/** The record that a path names, by `{id}` or by `{uuid or email}`; 404 otherwise. */
export function named<T extends object>(table: Table<T>, request: FastifyRequest, name: string): T {
	const { id } = request.params as { id: string };
	const row = table.find(id);
	if (!row) throw notFound(name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '));
	return row;
}

/** The parameters that were given at all: what is left out stays as it is. */
export function given<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], undefined> } {
	const entries = Object.entries(input).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** Registers the routes of a resource (paths and methods: vendor's client). */
export function registerResource<T extends object, C, U>(
	api: FastifyInstance,
	context: Context,
	resource: Resource<T, C, U>,
): void {
	const { path, name, create, update } = resource;
	const table = (): Table<T> => resource.table(context.database);
	const find = (request: FastifyRequest): T => named(table(), request, name);
	api.get(path, (request, reply) => {
		const { settings } = context;
		const rows = page(request, reply, table().rows(settings.order), settings);
		reply.send(rows.map((row) => resource.view(row, context)));
	});
	if (resource.readOne) {
		api.get(`${path}/:id`, (request, reply) => {
			reply.send(resource.view(find(request), context));
		});
	}
	if (create) {
		api.post(path, (request, reply) => {
			const input = validate(create.schema, unwrap(request.body, name));
			const { row, status } = create.run(input, context);
			reply.code(status ?? 201).send(resource.view(row, context));
		});
	}
	if (update) {
		api.patch(`${path}/:id`, (request, reply) => {
			const row = find(request);
			update.run(row, validate(update.schema, unwrap(request.body, name)), context);
			reply.send(resource.view(row, context));
		});
	}
	registerRemove(api, context, resource);
}

/** The answer to a DELETE is not shown: the record as it last was. */
function registerRemove<T extends object, C, U>(
	api: FastifyInstance,
	context: Context,
	resource: Resource<T, C, U>,
): void {
	if (!resource.remove) return;
	api.delete(`${resource.path}/:id`, (request, reply: FastifyReply) => {
		const row = named(resource.table(context.database), request, resource.name);
		resource.remove?.(row, context);
		reply.send(resource.view(row, context));
	});
}
