import type { INodePropertyOptions } from 'n8n-workflow';

import codex from '../../nodes/Supercast/SupercastTrigger.node.json';
import { SupercastTrigger } from '../../nodes/Supercast/SupercastTrigger.node.js';

/** The search of n8n's node panel. Its package is an ES module for TypeScript. */
const { sublimeSearch } = jest.requireActual<{
	sublimeSearch: (typed: string, cards: object[]) => object[];
}>('@n8n/utils/search/sublime-search');

const { properties } = new SupercastTrigger().description;
const events = properties.find(({ name }) => name === 'event')?.options as INodePropertyOptions[];

describe("n8n's search of nodes", () => {
	it.each([
		...['membership ended', 'new usage alert', 'state changes', 'subscriber changed'],
		...['subscription canceled', 'membership cancelled', 'member left', 'grant access'],
		...['new subscriber', 'new episode', 'new question', 'remove subscriber', 'feed URL'],
		...events.map(({ name }) => name),
	])('finds the card of both nodes by %s', (words) => {
		const card = { properties: { displayName: 'Supercast', codex } };
		// As n8n's panel shortens what is typed.
		const typed = words.toLowerCase().replace('trigger', '').trimEnd();
		expect(sublimeSearch(typed, [card])).toHaveLength(1);
	});

	it('does not find it by the names of others', () => {
		const card = { properties: { displayName: 'Supercast', codex } };
		const others = ['slack', 'gmail', 'telegram', 'airtable', 'merge', 'filter', 'webhook'];
		expect(others.filter((name) => sublimeSearch(name, [card]).length > 0)).toEqual([]);
	});
});
