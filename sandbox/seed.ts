import { FIRST_NAMES, LAST_NAMES, TOPICS } from './names';
import type { Options } from './options';
import { pick } from './random';
import type { Channel, Subscriber, UsageAlert } from './store/records';
import { NO_PLAN, PLANS, World } from './store/world';

/** Seeded records carry fixed times, so that two runs give the same sandbox. */
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

type Grow = (world: World, time: string) => object;

function person(world: World): { first_name: string; last_name: string } {
	return {
		first_name: pick(world.random, FIRST_NAMES),
		last_name: pick(world.random, LAST_NAMES),
	};
}

function address(name: { first_name: string; last_name: string }, number: number): string {
	return `${name.first_name}.${name.last_name}.${number}@example.com`.toLowerCase();
}

const growSubscriber: Grow = (world, time): Subscriber => {
	const name = person(world);
	const plan = PLANS[world.subscribers.size % PLANS.length] ?? NO_PLAN;
	return world.addSubscriber({
		email: address(name, world.nextNumber('subscriber email')),
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

const growEpisode: Grow = (world, time) => {
	const number = world.nextNumber('episode title');
	return world.episodes.add({
		id: world.nextId('episode'),
		title: `Episode ${number}: ${pick(world.random, TOPICS)}`,
		summary: `What we heard about ${pick(world.random, TOPICS)}.`,
		explicit: number % 5 === 0 ? 'yes' : 'no',
		language: 'en',
		published_at: time,
		created_at: time,
		has_audio: true,
	});
};

const growCreator: Grow = (world, time) => {
	const name = person(world);
	return world.creators.add({
		id: world.nextNumber('creator'),
		uuid: world.nextUuid(),
		...name,
		email: `creator.${address(name, world.nextNumber('creator email'))}`,
		can_log_in: true,
		created_at: time,
		updated_at: time,
	});
};

const growRole: Grow = (world, time) =>
	world.roles.add({
		id: world.nextId('role'),
		title: `Role ${world.nextNumber('role title')}`,
		description: null,
		created_at: time,
		updated_at: time,
	});

const growInvite: Grow = (world, time) =>
	world.invites.add({
		id: world.nextId('invite'),
		email: `invite.${address(person(world), world.nextNumber('invite email'))}`,
		state: 'pending',
		created_at: time,
	});

const growQuestion: Grow = (world, time) =>
	world.questions.add({
		id: world.nextId('question'),
		title: `Question ${world.nextNumber('question title')} about ${pick(world.random, TOPICS)}`,
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

/** Adds invented records of one kind, as they might come while lists are being read. */
export function grow(world: World, resource: Growing, count: number, time: string): object[] {
	return Array.from({ length: count }, () => GROW[resource](world, time));
}

/**
 * Raises one usage alert. Their fields are inferred: only `id`, the time and the subscriber
 * are likely, and a listener who is ignored never alerts again (service's help).
 */
export function raiseAlert(world: World, subscriber: Subscriber, time: string): UsageAlert {
	const many = world.nextNumber('alert kind') % 2 === 0;
	return world.usageAlerts.add({
		id: world.nextId('usage alert'),
		kind: many ? 'many_downloads' : 'many_addresses',
		message: many
			? 'The feed was downloaded inordinately often.'
			: 'The feed was fetched from many addresses.',
		subscriber_uuid: subscriber.uuid,
		created_at: time,
	});
}

/** Raises alerts on the listeners in turn, leaving out those who are ignored. */
export function raiseAlerts(world: World, count: number, time: string): UsageAlert[] {
	const listeners = world.subscribers.rows().filter((row) => !row.ignore_usage_alerts);
	const alerts: UsageAlert[] = [];
	for (let index = 0; index < count && listeners.length > 0; index++) {
		const turn = world.nextNumber('alert turn');
		const listener = listeners[(turn - 1) % listeners.length];
		if (listener) alerts.push(raiseAlert(world, listener, time));
	}
	return alerts;
}

/** The state at the start and after a reset: the same for the same options. */
export function seedWorld(options: Options): World {
	const world = new World(channel(), options.seed, options.ids);
	for (const resource of GROWING) {
		for (let index = 0; index < options[resource]; index++) {
			GROW[resource](world, at(index));
		}
	}
	raiseAlerts(world, options.usageAlerts, at(0));
	return world;
}
