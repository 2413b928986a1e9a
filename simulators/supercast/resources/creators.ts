import { z } from 'zod';
import type { Context } from '../context';
import { addressFor, inventedName } from '../data/names';
import type { Creator } from '../data/records';
import { invalid } from '../wire/errors';
import { email, kept, nullable, required, text } from '../wire/validation';
import { given, resource } from './resource';

/** The minimum length of a password is inferred. It is Devise's default. */
const password = z.string().min(6).max(128);

const fields = {
	first_name: nullable(text()),
	last_name: nullable(text()),
	password: nullable(password),
};

function refuseTaken(address: string | undefined, context: Context, self?: Creator): void {
	const holder = address === undefined ? undefined : context.database.lists.creators.find(address);
	if (holder && holder !== self) throw invalid('email', 'has already been taken');
}

/** Creators, by `{uuid or email}` (paths: vendor's client; create: a published integration). */
export const creatorList = resource({
	list: 'creators',
	name: 'creator',
	grow: (database, time) => {
		const name = inventedName(database.random);
		return database.lists.creators.add({
			id: database.nextNumber('creator'),
			uuid: database.nextUuid(),
			...name,
			email: `creator.${addressFor(name, database.nextNumber('creator email'))}`,
			can_log_in: true,
			created_at: time,
			updated_at: time,
		});
	},
	readOne: true,
	create: {
		schema: z.object({ email: required(email), ...fields }),
		run: (input, context) => {
			refuseTaken(input.email, context);
			const { database } = context;
			const time = context.time();
			const row = database.lists.creators.add({
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
		run: (row, { password: secret, ...input }, context) => {
			refuseTaken(input.email, context, row);
			const canLogIn = secret === undefined ? row.can_log_in : secret !== null;
			const values = { ...given(input), can_log_in: canLogIn, updated_at: context.time() };
			context.database.lists.creators.change(row, values);
		},
	},
	remove: true,
});
