import { FIRST_NAMES, LAST_NAMES, TOPICS } from './names';
import type { Options } from '../options';
import type { Settings } from '../settings';
import { pick } from './random';
import type { Channel, Subscriber, UsageAlert } from './records';
import { NO_PLAN, PLANS, Database } from './database';

/** Seeded records have fixed times, so two runs give the same sandbox. */
const EPOCH = Date.UTC(2025, 0, 1, 9);
const MINUTE = 60_000;

const at = (index: number): string => new Date(EPOCH + index * MINUTE).toISOString();

const channel = (): Channel => ({
	id: 1,
	subdomain: 'demo',
	title: 'The Demo Hour',
	description: 'A members-only podcast that exists in the sandbox alone.',
	website_url: 'https://demo-hour.example',
	language: 'en',
	time_zone: 'UTC',
	created_at: at(0),
	updated_at: at(0),
});

/** Kinds of records that can be added while the sandbox runs. */
export const GROWING = [
	'subscribers',
	'episodes',
	'creators',
	'roles',
	'invites',
	'questions',
] as const;
export type Growing = (typeof GROWING)[number];

type Grow = (database: Database, time: string) => object;

function person(database: Database): { first_name: string; last_name: string } {
	return {
		first_name: pick(database.random, FIRST_NAMES),
		last_name: pick(database.random, LAST_NAMES),
	};
}

function address(name: { first_name: string; last_name: string }, number: number): string {
	return `${name.first_name}.${name.last_name}.${number}@example.com`.toLowerCase();
}

const growSubscriber: Grow = (database, time): Subscriber => {
	const name = person(database);
	const plan = PLANS[database.subscribers.size % PLANS.length] ?? NO_PLAN;
	return database.addSubscriber({
		email: address(name, database.nextNumber('subscriber email')),
		customer_id: null,
		first_name: name.first_name,
		last_name: name.last_name,
		state: 'available',
		ignore_usage_alerts: false,
		plan_id: plan.plan_id,
		plan_name: plan.plan_name,
		plan_price_cents: plan.plan_price_cents,
		plan_price_currency: plan.plan_price_currency,
		time_zone: 'UTC',
		created_at: time,
		updated_at: time,
	});
};

const growEpisode: Grow = (database, time) => {
	const number = database.nextNumber('episode title');
	return database.episodes.add({
		id: database.nextId('episode'),
		title: `Episode ${number}: ${pick(database.random, TOPICS)}`,
		summary: `What we heard about ${pick(database.random, TOPICS)}.`,
		explicit: number % 5 === 0 ? 'yes' : 'no',
		language: 'en',
		published_at: time,
		created_at: time,
		has_audio: true,
	});
};

const growCreator: Grow = (database, time) => {
	const name = person(database);
	return database.creators.add({
		id: database.nextNumber('creator'),
		uuid: database.nextUuid(),
		...name,
		email: `creator.${address(name, database.nextNumber('creator email'))}`,
		can_log_in: true,
		created_at: time,
		updated_at: time,
	});
};

const growRole: Grow = (database, time) =>
	database.roles.add({
		id: database.nextId('role'),
		name: `Role ${database.nextNumber('role name')}`,
		description: null,
		permissions: [],
		created_at: time,
		updated_at: time,
	});

const growInvite: Grow = (database, time) =>
	database.invites.add({
		id: database.nextId('invite'),
		email: `invite.${address(person(database), database.nextNumber('invite email'))}`,
		state: 'pending',
		created_at: time,
	});

const growQuestion: Grow = (database, time) =>
	database.questions.add({
		id: database.nextId('question'),
		title: `Question ${database.nextNumber('question title')} about ${pick(database.random, TOPICS)}`,
		body: 'What happened afterwards?',
		created_at: time,
	});

const GROW: Record<Growing, Grow> = {
	subscribers: growSubscriber,
	episodes: growEpisode,
	creators: growCreator,
	roles: growRole,
	invites: growInvite,
	questions: growQuestion,
};

/** Adds invented records of one kind, like those that appear while a client reads a list. */
export function grow(database: Database, resource: Growing, count: number, time: string): object[] {
	return Array.from({ length: count }, () => GROW[resource](database, time));
}

/**
 * Raises one usage alert. Its fields are inferred: only `id`, the time and the subscriber are
 * likely. A subscriber who is ignored never raises alerts again (Supercast's help).
 */
export function raiseAlert(database: Database, subscriber: Subscriber, time: string): UsageAlert {
	const many = database.nextNumber('alert kind') % 2 === 0;
	return database.usageAlerts.add({
		id: database.nextId('usage alert'),
		kind: many ? 'many_downloads' : 'many_addresses',
		message: many
			? 'The feed was downloaded unusually often.'
			: 'The feed was fetched from many addresses.',
		subscriber_uuid: subscriber.uuid,
		created_at: time,
	});
}

/** Raises alerts on the subscribers in turn, except those who are ignored. */
export function raiseAlerts(database: Database, count: number, time: string): UsageAlert[] {
	const listeners = database.subscribers.rows().filter((row) => !row.ignore_usage_alerts);
	const alerts: UsageAlert[] = [];
	for (let index = 0; index < count && listeners.length > 0; index++) {
		const turn = database.nextNumber('alert turn');
		const listener = listeners[(turn - 1) % listeners.length];
		if (listener) alerts.push(raiseAlert(database, listener, time));
	}
	return alerts;
}

/** The state at the start and after a reset. It is the same for the same options. */
export function seedDatabase(options: Options, settings: Settings): Database {
	const database = new Database(channel(), options.seed, settings);
	for (const resource of GROWING) {
		for (let index = 0; index < options[resource]; index++) {
			GROW[resource](database, at(index));
		}
	}
	raiseAlerts(database, options.usageAlerts, at(0));
	return database;
}
