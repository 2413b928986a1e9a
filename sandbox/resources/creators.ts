import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Context } from '../context';
import { invalid } from '../wire/errors';
import type { Creator } from '../data/records';
import { email, kept, nullable, required, text } from '../wire/validation';
import { given, registerResource } from './resource';

/** The shortest password is inferred: it is Devise's default. */
const password = z.string().min(6).max(128);

const fields = {
	first_name: nullable(text()),
	last_name: nullable(text()),
	password: nullable(password),
};

function refuseTaken(address: string | undefined, context: Context, self?: Creator): void {
	const holder = address === undefined ? undefined : context.database.creators.find(address);
	if (holder && holder !== self) throw invalid('email', 'has already been taken');
}

/** Creators, by `{uuid or email}` (vendor's client; creating: a published integration). */
export function registerCreators(api: FastifyInstance, context: Context): void {
	registerResource(api, context, {
		path: '/creators',
		name: 'creator',
		table: (database) => database.creators,
		view: (row) => row,
		readOne: true,
		create: {
			schema: z.object({ email: required(email), ...fields }),
			run: (input) => {
				const { database } = context;
				refuseTaken(input.email, context);
				const time = context.time();
				const row = database.creators.add({
					id: database.nextNumber('creator'),
					uuid: database.nextUuid(),
					email: input.email,
					first_name: input.first_name ?? null,
					last_name: input.last_name ?? null,
					can_log_in: typeof input.password === 'string',
					created_at: time,
					updated_at: time,
				});
				return { row };
			},
		},
		update: {
			schema: z.object({ email: kept(email), ...fields }),
			run: (row, { password: secret, ...input }) => {
				refuseTaken(input.email, context, row);
				const access = secret === undefined ? {} : { can_log_in: secret !== null };
				const values = { ...given(input), ...access, updated_at: context.time() };
				context.database.creators.change(row, values);
			},
		},
		remove: (row) => context.database.creators.remove(row),
	});
}
