import { z } from 'zod';
import { addressFor, inventedName, TOPICS } from '../data/names';
import { pick } from '../data/random';
import { kept, nullable, required, text } from '../wire/validation';
import { given, resource } from './resource';

const roleFields = { description: nullable(text(10_000)), permissions: kept(z.array(text())) };

/**
 * Roles (paths: vendor's client; fields: Supercast's help on the dashboard, because the API's
 * fields are not documented).
 */
export const roleList = resource({
	list: 'roles',
	name: 'role',
	grow: (database, time) =>
		database.lists.roles.add({
			id: database.nextId('role'),
			name: `Role ${database.nextNumber('role name')}`,
			description: null,
			permissions: [],
			created_at: time,
			updated_at: time,
		}),
	readOne: true,
	create: {
		schema: z.object({ name: required(text()), ...roleFields }),
		run: ({ name, description, permissions }, context) => {
			const time = context.time();
			const row = context.database.lists.roles.add({
				id: context.database.nextId('role'),
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
		schema: z.object({ name: kept(text()), ...roleFields }),
		run: (row, input, { database, time }) => {
			database.lists.roles.change(row, { ...given(input), updated_at: time() });
		},
	},
	remove: true,
});

/** Invites (paths: vendor's client; fields inferred). They can only be listed and deleted. */
export const inviteList = resource({
	list: 'invites',
	name: 'invite',
	grow: (database, time) => {
		const id = database.nextId('invite');
		const name = inventedName(database.random);
		const email = `invite.${addressFor(name, database.nextNumber('invite email'))}`;
		return database.lists.invites.add({ id, email, state: 'pending', created_at: time });
	},
	remove: true,
});

/**
 * Questions (paths and fields: a published integration). It is inferred that they can be created.
 */
export const questionList = resource({
	list: 'questions',
	name: 'question',
	grow: (database, time) =>
		database.lists.questions.add({
			id: database.nextId('question'),
			title: `Question ${database.nextNumber('question title')} about ${pick(database.random, TOPICS)}`,
			body: 'What happened afterwards?',
			created_at: time,
		}),
	create: {
		exists: ({ createQuestions }) => createQuestions,
		schema: z.object({ title: required(text()), body: nullable(text(10_000)) }),
		run: ({ title, body = null }, { database, time }) => {
			const id = database.nextId('question');
			return { row: database.lists.questions.add({ id, title, body, created_at: time() }) };
		},
	},
});
