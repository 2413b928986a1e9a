/** The rules of Sync and Set Access. */

import type { Fact } from './fact';

export const SYNC: Fact[] = [
	{
		fact: 'an incomplete list closes no feeds',
		home: 'docs/sync.md#incomplete-lists',
		statement:
			/(?:\bincomplete|\bnot whole|records are missing|lacks records)\b[^.]*(?:\bclos\w+ (?:no\b|none|nobody)|\bno feeds? (?:is|are)\b)|\bclos\w+ (?:no feeds?|none|nobody)\b[^.]*\b(?:incomplete|not whole|records are missing)/i,
		alsoAs: [
			'A list that is not whole, for example because a page was empty, closes no feed.',
			'If the list is incomplete, no feed is closed.',
			'It closes no feeds while records are missing or come twice.',
		],
	},
	{
		fact: 'a feed closes only after a second list without the subscriber',
		home: 'docs/sync.md#what-keeps-feeds-open',
		statement:
			/\b(?:two|second) (?:lists?|checks?|sync runs?)\b[^.]*\b(?:in a row|lacks?|missing|without|closes)\b/i,
		inReadme: true,
		alsoAs: [
			'The second check after that closes it.',
			'A feed closes when its member is missing from two checks in a row.',
			'If they are not on the list, the second check usually closes it again.',
		],
	},
	{
		fact: 'Sync stops if more than 5% of the feeds that it may close are newly missing',
		home: 'docs/sync.md#what-keeps-feeds-open',
		statement: /\b(?:more than|over) 5%/i,
		inReadme: true,
		alsoAs: ['If it would close more than one feed and more than 5% of the open ones, it stops.'],
	},
	{
		fact: 'Sync stops if it would open more than 250 feeds',
		home: 'docs/sync.md#what-keeps-feeds-open',
		statement: /\b250\b(?! ms)/,
		alsoAs: ['The limit is 250, or a quarter of the people on the previous list.'],
	},
	{
		fact: 'Dry Run is on by default, and only shows what would change',
		home: 'docs/sync.md#dry-run',
		statement: /dry run\b[^.]*\bon by default|only shows? what would (?:change|happen)/i,
		inReadme: true,
		alsoAs: ['They begin with a dry run. It only shows what would change.'],
	},
	{
		fact: 'n8n does not run Sync without items',
		home: 'docs/sync.md#dry-run',
		statement: /\bno items\b[^.]*\b(?:does not|doesn't) run/i,
		alsoAs: ['If the node before Sync returns no items, n8n does not run Sync.'],
	},
	{
		fact: 'by default, Sync closes only feeds with a customer ID and without a plan',
		home: 'docs/sync.md#which-feeds-it-can-close',
		statement: /\b(?:feeds|these belong) (?:of|to) subscribers with a customer ID\b/i,
		alsoAs: [
			'By default, these belong to subscribers with a customer ID and no plan at Supercast.',
		],
	},
	{
		fact: 'closing a feed may not stop the payments to Supercast',
		home: 'docs/sync.md#which-feeds-it-can-close',
		statement: /\bclosing (?:a feed )?may not (?:stop|end)\b/i,
		alsoAs: ['They stay open, because closing may not stop their payments.'],
	},
	{
		fact: 'of several records, the strongest counts',
		home: 'docs/sync.md#what-each-record-says',
		statement: /\bthe strongest\b/i,
		alsoAs: ['If someone has several records, the strongest counts.'],
	},
	{
		fact: 'Sync never deletes subscribers',
		home: 'docs/sync.md#what-it-does-for-each-person',
		statement: /\bnever deletes\b/i,
		alsoAs: ['It never deletes subscribers.'],
	},
	{
		fact: 'Sync opens feeds before it closes any',
		home: 'docs/sync.md#what-keeps-feeds-open',
		statement: /\bopens (?:feeds )?before it closes\b/i,
		alsoAs: ['It opens before it closes.'],
	},
	{
		fact: 'Sync begins its count again after 30 hours without a list',
		home: 'docs/sync.md#what-keeps-feeds-open',
		statement: /\b30 hours\b[^.]*\b(?:without a list|ago)\b/i,
		alsoAs: ['After 30 hours without a list, the counting starts again.'],
	},
	{
		fact: 'after a large closing, set Max Close (%) back to 5',
		home: 'docs/sync.md#close-many-feeds-on-purpose',
		statement: /\bback to 5\b/i,
		alsoAs: ['Set Max Close (%) back to 5.'],
	},
	{
		fact: 'Set Access closes a feed immediately',
		home: 'docs/sync.md#set-access',
		statement: /\bcloses a feed immediately\b/i,
		alsoAs: ['But it closes a feed immediately.'],
	},
	{
		fact: 'two Syncs with the same credential wait for each other',
		home: 'docs/sync.md#several-systems-in-one-channel',
		statement: /\bwaits for up to 30 minutes\b/i,
		alsoAs: ['One waits for up to 30 minutes.'],
	},
];
