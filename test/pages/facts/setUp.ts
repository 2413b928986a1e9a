/** Installation, credentials and the first steps. */

import type { Fact } from './fact';

export const SET_UP: Fact[] = [
	{
		fact: 'where to get an access token',
		home: 'docs/set-up.md#1-connect-supercast',
		statement: /\bGenerate Token\b/,
		alsoAs: ['the token from Settings > API > Generate Token in Supercast'],
	},
	{
		fact: 'the owner of the channel creates the token',
		home: 'docs/credentials.md#access-token',
		statement: /\brights of admins\b/i,
		alsoAs: ['Two help pages disagree about the rights of admins.'],
	},
	{
		fact: 'save before the first run, or the credentials are missing',
		home: 'docs/set-up.md#3-import-the-workflow',
		statement: /\bCtrl\+S\b[^|]*\bcredentials\b/,
		alsoAs: ['Press Ctrl+S (⌘S on a Mac), so that n8n saves the credentials.'],
	},
	{
		fact: 'pasting and importing drop the setting "Do not save"',
		home: 'docs/set-up.md#3-import-the-workflow',
		statement: /\bdrops? (?:this setting\b|the setting \W*Do not save\b)/i,
		alsoAs: ['n8n keeps each check, because pasting and importing drop this setting.'],
	},
	{
		fact: 'how to count only some products or tiers',
		home: 'docs/set-up.md#choose-who-counts',
		statement: /\bempty the (?:\W*value\W* of the )?field that ends in\b/i,
		alsoAs: ['To count only some, empty the field that ends in .other.'],
	},
	{
		fact: '"(Deactivated)" means disabled',
		home: 'docs/set-up.md#5-go-live',
		statement: /"\(Deactivated\)"/,
		alsoAs: ['Until then, it is "(Deactivated)".'],
	},
	{
		fact: 'which rights the key of Stripe needs',
		home: 'docs/set-up-stripe.md#the-credential',
		statement: /\brestricted (?:Stripe )?key that may read\b/i,
		alsoAs: ['a restricted Stripe key that may read customers, products and subscriptions'],
	},
	{
		fact: "Patreon's scopes",
		home: 'docs/set-up-patreon.md#the-credential',
		statement: /campaigns\.members\[email\]/,
		alsoAs: ['campaigns campaigns.members campaigns.members[email]'],
	},
	{
		fact: 'Supercast has two hosts',
		home: 'docs/credentials.md#base-url',
		statement: /\bAPI has two hosts\b/i,
		alsoAs: ["Supercast's API has two hosts."],
	},
	{
		fact: 'Sync refuses items with different tokens',
		home: 'docs/credentials.md#one-credential-for-items-of-several-channels',
		statement: /\bSync\b[^.]*\brefuses items (?:of two channels|with different tokens)\b/i,
		alsoAs: [
			'Sync takes all items as the list of one channel, so it refuses items of two channels.',
			'Sync takes all items as one list, so it refuses items with different tokens.',
		],
	},
	{
		fact: 'a used refresh token may count as stolen',
		home: 'docs/credentials.md#when-a-connection-breaks',
		statement: /\bstolen\b/i,
		alsoAs: ['If someone uses it again, Supercast may treat it as stolen.'],
	},
	{
		fact: 'a feed that opens again keeps its address',
		home: 'docs/service.md#how-the-actions-affect-subscribers',
		statement: /\bfeed that opens again keeps its address\b/i,
		alsoAs: ['A feed that opens again keeps its address.'],
	},
	{
		fact: "Supercast's payments go to your own Stripe account",
		home: 'docs/service.md#what-else-may-matter',
		statement: /\bpayments go to your own Stripe account\b/i,
		alsoAs: ["Supercast's payments go to your own Stripe account."],
	},
	{
		fact: 'the package is not on npm yet',
		home: 'docs/installation.md#installation',
		statement: /\b(?:The package|It) is not on npm yet\b/,
		inReadme: true,
		alsoAs: ['It is not on npm yet.'],
	},
	{
		fact: 'how to go back to an older version of the package',
		home: 'docs/installation.md#upgrade',
		statement: /\bgit checkout\b/i,
		alsoAs: ["Run git checkout with the old version's tag."],
	},
	{
		fact: 'n8n 3 loads only verified packages',
		home: 'docs/installation.md#n8n-3',
		statement: /\bN8N_UNVERIFIED_PACKAGES_ENABLED\b/,
		alsoAs: ['Set N8N_UNVERIFIED_PACKAGES_ENABLED=true on every process.'],
	},
	{
		fact: 'two workflows for two systems can take access away',
		home: 'workflows/README.md#two-systems',
		statement: /\btwo separate workflows\b|\bone joined list avoids\b/i,
		alsoAs: ['With two separate workflows, someone who leaves only one system can lose access.'],
	},
];
