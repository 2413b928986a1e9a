/** What people ask while the workflows run. */

import type { Fact } from './fact';

export const OPERATE: Fact[] = [
	{
		fact: 'the daily email comes with the first sync run after 7:00',
		home: 'docs/operate.md#emails-to-you-reports-and-alerts',
		statement: /\bafter 7:00\b/,
		alsoAs: ['Each day, after 7:00, an email names who joined and who left the day before.'],
	},
	{
		fact: 'an alert comes once a day for each reason',
		home: 'docs/operate.md#emails-to-you-reports-and-alerts',
		statement: /\b(?:once|one email) a day for each reason\b/i,
		alsoAs: ['It lets one email a day for each reason for failure through.'],
	},
	{
		fact: 'n8n retries an email every ten minutes',
		home: 'docs/operate.md#emails-to-you-reports-and-alerts',
		statement: /\b(?:every|waits) ten minutes\b/i,
		alsoAs: ["If an email can't be sent, this node waits ten minutes."],
	},
	{
		fact: 'what Supercast may charge for each subscriber',
		home: 'docs/operate.md#costs-and-how-often-to-sync',
		statement: /\b59 cents\b/i,
		alsoAs: ['Someone reported 59 cents a month.'],
	},
	{
		fact: 'Supercast has one subscriber for each email',
		home: 'docs/operate.md#families-several-people-with-one-email',
		statement: /\bone subscriber for each email\b/i,
		alsoAs: ['Supercast has one subscriber for each email, and one feed for each subscriber.'],
	},
	{
		fact: 'a refund alone usually ends nothing',
		home: 'docs/operate.md#refunds',
		statement: /\b(?:refund|dispute) alone\b/i,
		alsoAs: ['A refund alone usually ends nothing.', 'A dispute alone ends nothing either.'],
	},
	{
		fact: 'calls to any-system.json are lost while n8n is off',
		home: 'docs/operate.md#delays-how-long-access-can-be-wrong',
		statement: /\bcalls to any-system\.json are lost\b/i,
		alsoAs: ['Calls to any-system.json are lost meanwhile, unless your system repeats them.'],
	},
	{
		fact: "Sync only counts people who left with another system's ID",
		home: 'docs/operate.md#start-with-people-who-are-already-in-supercast',
		statement: /\bonly their number\b/i,
		alsoAs: ['The dry run gives only their number.'],
	},
	{
		fact: 'which other workflows read the complete list',
		home: 'docs/operate.md#costs-and-how-often-to-sync',
		statement: /\b(?:also reads? the complete list|set their Poll Times)\b/i,
		alsoAs: ['Four other workflows also read the complete list.'],
	},
	{
		fact: 'in each workflow, the products of the other show are closed',
		home: 'docs/operate.md#two-shows',
		statement: /\bother show's products\b/i,
		alsoAs: ["Set the other show's products to close."],
	},
	{
		fact: 'a monitor calls /healthz',
		home: 'docs/operate.md#is-it-running',
		statement: /\/healthz\b/,
		alsoAs: ['Let an uptime monitor call /healthz at the address of your n8n.'],
	},
	{
		fact: 'after a move to another system, all customer IDs change',
		home: 'docs/operate.md#move-to-another-membership-system',
		statement: /\ball customer IDs change\b/i,
		alsoAs: ['All customer IDs change, so Sync finds conflicts.'],
	},
	{
		fact: 'some apps stop checking a closed feed',
		home: 'docs/operate.md#returning-members',
		statement: /\bstop checking a closed feed\b/i,
		alsoAs: ['Some apps stop checking a closed feed.'],
	},
	{
		fact: 'a suspended feed must be activated by hand',
		home: 'docs/operate.md#returning-members',
		statement: /\bactivate the feed in Supercast\b|\bonly Feed: Activate opens\b/i,
		alsoAs: ['Then only Feed: Activate opens the feed again.'],
	},
	{
		fact: 'people who left before keep their feeds, because they have no customer ID',
		home: 'docs/operate.md#start-with-people-who-are-already-in-supercast',
		statement: /\bleft (?:before|earlier)\b[^.]*\b(?:no customer ID|keep their feeds)\b/i,
		alsoAs: ['People who left earlier and have no customer ID keep their feeds.'],
	},
	{
		fact: 'Sync changes an email back that was changed only in Supercast',
		home: 'docs/operate.md#email-a-member-changes-it',
		statement: /\bchanges it back\b/i,
		alsoAs: ['If you change the email only in Supercast, Sync changes it back.'],
	},
	{
		fact: 'the page for support needs a long password',
		home: 'docs/operate.md#support-a-member-cant-listen',
		statement: /\bat least 20 characters\b/i,
		alsoAs: ['Use a generated one of at least 20 characters.'],
	},
	{
		fact: 'the member workflows do not email members',
		home: 'docs/operate.md#emails-to-members',
		statement: /\bsend members nothing\b|\bdon't email members\b|\bNothing from these workflows\b/i,
		alsoAs: ['Nothing from these workflows.'],
	},
];
