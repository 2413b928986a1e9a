import { Store } from '../data/database';
import type { ListKey } from '../data/lists';
import type { ChannelRecord } from '../data/records';
import type { Options } from '../options';
import type { Settings } from '../settings';
import { RESOURCES } from './index';

/** Seeded records have fixed times, so that two runs produce the same sandbox. */
const EPOCH = Date.UTC(2025, 0, 1, 9);
const MINUTE = 60_000;

const at = (index: number): string => new Date(EPOCH + index * MINUTE).toISOString();

const channel = (): ChannelRecord => ({
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

/** Adds made-up records of one kind, like those that appear while a client reads a list. */
export function grow(database: Store, list: ListKey, count: number, time: string): object[] {
	const grown = Array.from({ length: count }, () => RESOURCES[list].grow(database, time));
	return grown.filter((row) => row !== undefined);
}

/** The state at the start and after a reset. The same options produce the same state. */
export function seedDatabase(options: Options, settings: Settings): Store {
	const database = new Store(channel(), options.seed, settings);
	for (const [name, resource] of Object.entries(RESOURCES)) {
		for (let index = 0; index < options[name as ListKey]; index++) {
			resource.grow(database, at(index));
		}
	}
	return database;
}
