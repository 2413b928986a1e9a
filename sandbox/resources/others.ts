import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Context } from '../context';
import { nullable, kept, required, text } from '../wire/validation';
import { given, registerResource } from './resource';

const roleFields = <T extends z.ZodTypeAny>(name: T) => ({
	name,
	description: nullable(text(10_000)),
	permissions: kept(z.array(text())),
});

/**
 * Roles (paths: vendor's client; fields: help, for the dashboard; the API's own are not
 * documented).
 */
export function registerRoles(api: FastifyInstance, context: Context): void {
	registerResource(api, context, {
		path: '/roles',
		name: 'role',
		table: (database) => database.roles,
		view: (row) => row,
		readOne: true,
		create: {
			schema: z.object(roleFields(required(text()))),
			run: ({ name, description, permissions }) => {
				const { database } = context;
				const time = context.time();
				const row = database.roles.add({
					id: database.nextId('role'),
					name,
					description: description ?? null,
					permissions: permissions ?? [],
					created_at: time,
					updated_at: time,
				});
				return { row };
			},
		},
		update: {
			schema: z.object(roleFields(kept(text()))),
			run: (row, input) => {
				context.database.roles.change(row, { ...given(input), updated_at: context.time() });
			},
		},
		remove: (row) => context.database.roles.remove(row),
	});
}

/** Invites (paths: vendor's client; fields inferred). They can be listed and withdrawn. */
export function registerInvites(api: FastifyInstance, context: Context): void {
	registerResource(api, context, {
		path: '/invites',
		name: 'invite',
		table: (database) => database.invites,
		view: (row) => row,
		remove: (row) => context.database.invites.remove(row),
	});
}

/** Questions (paths and fields: a published integration). It is inferred that they can be created. */
export function registerQuestions(api: FastifyInstance, context: Context): void {
	registerResource(api, context, {
		path: '/questions',
		name: 'question',
		table: (database) => database.questions,
		view: (row) => row,
		create: {
			exists: ({ createQuestions }) => createQuestions,
			schema: z.object({ title: required(text()), body: nullable(text(10_000)) }),
			run: ({ title, body }) => {
				const { database } = context;
				const row = database.questions.add({
					id: database.nextId('question'),
					title,
					body: body ?? null,
					created_at: context.time(),
				});
				return { row };
			},
		},
	});
}
