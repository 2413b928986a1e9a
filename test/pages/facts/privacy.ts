/** What is stored, and what an agent sees. */

import type { Fact } from './fact';

export const PRIVACY: Fact[] = [
	{
		fact: 'n8n keeps executions for 14 days by default',
		home: 'docs/privacy.md#what-n8n-stores',
		statement: /\bEXECUTIONS_DATA_MAX_AGE\b/,
		alsoAs: ["14 days by n8n's default (EXECUTIONS_DATA_MAX_AGE)"],
	},
	{
		fact: 'whom the daily log names, and for how long',
		home: 'docs/privacy.md#what-the-nodes-remember',
		statement: /\b40 (?:people|emails)\b/i,
		alsoAs: ['Up to 40 emails of feeds that opened on a day, and of feeds that closed.'],
	},
	{
		fact: 'the package has no analytics',
		home: 'docs/privacy.md#privacy-what-is-stored-where-for-how-long',
		statement: /\bno analytics\b/i,
		alsoAs: ['The package has no analytics.'],
	},
	{
		fact: 'an agent does not see private feed addresses',
		home: 'docs/ai-agents.md#choose-what-the-model-sees',
		statement: /\bthe node removes (?:them|these addresses)\b|\bnever shows feed_urls\b/i,
		alsoAs: ['As a tool, the node removes them unless Output is Raw.'],
	},
	{
		fact: 'what an agent reads can manipulate it',
		home: 'docs/ai-agents.md#what-to-leave-out',
		statement: /\bprompt injection\b/i,
		alsoAs: ['Text that an agent reads can manipulate it (prompt injection).'],
	},
];
