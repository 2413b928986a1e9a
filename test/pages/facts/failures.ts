/** Limits, failures, the trigger and queue mode. */

import type { Fact } from './fact';

export const FAILURES: Fact[] = [
	{
		fact: 'Supercast allows 100 requests per minute',
		home: 'docs/troubleshooting.md#the-request-limit',
		statement: /\b100 requests per minute\b/i,
		inReadme: true,
		alsoAs: ['Supercast allows 100 requests per minute across all apps and refuses the rest.'],
	},
	{
		fact: 'how many deletes fail with HTTP Request',
		home: 'docs/troubleshooting.md#the-request-limit',
		statement: /\bof 1,000 deletes failed\b/i,
		inReadme: true,
		alsoAs: ['With it, 900 of 1,000 deletes failed.'],
	},
	{
		fact: 'leave Retry On Fail off',
		home: 'docs/troubleshooting.md#retry-a-failed-run',
		statement: /\bLeave Retry On Fail off\b|\bRetry On Fail would repeat\b/i,
		alsoAs: ['Leave Retry On Fail off: the node retries when that is safe.'],
	},
	{
		fact: 'a failed item stops the workflow',
		home: 'docs/troubleshooting.md#failed-items',
		statement: /\bfailed item stops\b/i,
		alsoAs: ['A failed item stops the workflow, unless you use the error output.'],
	},
	{
		fact: 'with the error output, the error workflow does not start',
		home: 'docs/troubleshooting.md#failed-items',
		statement: /\berror workflow (?:doesn't|does not) start\b/i,
		alsoAs: ["The execution ends as Success, so the error workflow doesn't start."],
	},
	{
		fact: 'when a person can get two subscribers',
		home: 'docs/troubleshooting.md#network-failures',
		statement: /\b(?:can create two subscribers|retry never creates a second subscriber)\b/i,
		alsoAs: ['A retry never creates a second subscriber, except in two rare cases.'],
	},
	{
		fact: 'the trigger polls, because Supercast documents no webhooks',
		home: 'docs/trigger.md#the-trigger',
		statement: /\b(?:has|documents) no webhooks\b/i,
		alsoAs: ['Supercast has no webhooks, so the trigger polls.'],
	},
	{
		fact: 'how many records the trigger remembers',
		home: 'docs/trigger.md#limits-and-costs',
		statement: /\b40,000\b/,
		alsoAs: ['The trigger remembers up to 40,000 records.'],
	},
	{
		fact: 'two workers cannot order the events of one person',
		home: 'docs/queue-mode.md#what-workers-cannot-order',
		statement: /\b(?:14 of 50|third of the pairs)\b/i,
		alsoAs: ['In a test, 14 of 50 pairs ended wrong.', 'About a third of the pairs ended wrong.'],
	},
	{
		fact: 'when n8n notices a dead worker',
		home: 'docs/queue-mode.md#when-a-worker-dies',
		statement: /\bnotices that the worker is gone\b/i,
		alsoAs: ['n8n notices that the worker is gone, by default after 60 to 90 seconds.'],
	},
];
