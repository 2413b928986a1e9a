import { MOST_WORDS, pageAt, sectionOf, wordsBefore } from '../support/pages';

const readme = pageAt('README.md');

/** A question of a user, the place where the README answers it or leads to, and the whole answer. */
interface Question {
	question: string;
	/** A page, and the anchor of a section. Without an anchor, the README's link leads to the page. */
	place: string;
	answer: RegExp[];
}

const QUESTIONS: Question[] = [
	{
		question: 'How do I install it in Docker?',
		place: 'docs/installation.md#docker',
		answer: [
			/clone of this repository/,
			/docker build /,
			/docker run /,
			/docker compose /,
			/Nobody has built/,
		],
	},
	{
		question: 'How do I close feeds when someone cancels at Stripe?',
		place: 'README.md#open-and-close-feeds-for-your-members',
		answer: [
			/stripe\.json/,
			/Press Execute workflow/,
			/Turn off Dry Run/,
			/Publish/,
			/missing from two lists/,
		],
	},
	{
		question: 'What happens when a member pays again?',
		place: 'docs/faq.md#what-happens-when-a-member-returns',
		answer: [/Set Access, Sync/, /stays the same/, /inferred/, /add the feed again/],
	},
	{
		question: 'How do I learn that it failed at night?',
		place: 'docs/when-something-fails.md#get-notified-of-failures',
		answer: [/email you about failures/, /Error Workflow/, /If n8n itself is down/],
	},
	{
		question: 'Do other apps share the limit?',
		place: 'docs/limits.md',
		answer: [
			/100 requests per minute\*\* across all apps/,
			/lower \*\*Requests per Minute\*\*/,
			/retries refused requests/,
		],
	},
	{
		question: 'How do I import 2,000 members?',
		place: 'docs/day-one.md',
		answer: [/Paste the content/, /Execute workflow/, /turn off \*\*Dry Run/],
	},
	{
		question: 'How long do 2,000 members take?',
		place: 'docs/running.md#what-it-costs',
		answer: [/2,000 \|\s+20 \|\s+20 minutes/],
	},
	{
		question: 'What happens when n8n is off for a day?',
		place: 'README.md#open-and-close-feeds-for-your-members',
		answer: [/Every 5 minutes, n8n reads the whole list/, /a day without n8n only delays/],
	},
	{
		question: 'Can I undo a deletion?',
		place: 'docs/when-something-fails.md#undo',
		answer: [/Subscriber: Delete +\| Not possible\..*new feed address/, /Never Close/],
	},
	{
		question: 'What does an AI agent see?',
		place: 'docs/ai-agents.md#choose-what-the-model-sees',
		answer: [
			/Simplified.*\(default\)/,
			/without private feed addresses/,
			/\*\*Raw\*\*/,
			/names and emails/,
		],
	},
	{
		question: 'Which versions of n8n does it need?',
		place: 'README.md#compatibility',
		answer: [/n8n 1\.85 and later/, /up to 2\.41/, /n8n 3/, /queue mode/],
	},
	{
		question: 'Can I use it on n8n Cloud?',
		place: 'README.md#install',
		answer: [/self-hosted/, /not n8n Cloud/],
	},
	{
		question: 'Does a day without n8n lose anything?',
		place: 'README.md#open-and-close-feeds-for-your-members',
		answer: [/a day without n8n only delays changes/],
	},
	{
		question: 'How does a superapp connect, and who signs in?',
		place: 'docs/credentials.md#superapps',
		answer: [
			/one credential for each channel/,
			/\*\*Subdomain\*\*/,
			/signs in through your n8n/,
			/\*\*Connect\*\*/,
		],
	},
	{
		question: 'What is untested?',
		place: 'docs/service.md#what-was-not-tried',
		answer: [
			/Supercast itself/,
			/Docker image/,
			/n8n Cloud/,
			/n8n 3/,
			/Google Sheets/,
			/Windows and macOS/,
		],
	},
	{
		question: 'What does each member receive, and when?',
		place: 'docs/running.md#what-members-receive',
		answer: [/Nothing from these workflows/],
	},
	{
		question: 'What does the installation by hand need?',
		place: 'docs/installation.md#by-hand',
		answer: [/Node 20/, /npm run tarball/, /npm install/],
	},
	{
		question: 'Which podcast apps can members use?',
		place: 'docs/faq.md#which-podcast-apps-work',
		answer: [/add a feed by its address/, /no complete list/, /Spotify can't/, /unknown/],
	},
	{
		question: 'What does it cost for my number of members?',
		place: 'docs/running.md#what-it-costs',
		answer: [/ 500 \|/, / 2,000 \|/, / 5,000 \|/, /10,000 \|/, /The package is free/],
	},
	{
		question: 'How do I connect Patreon, and who counts?',
		place: 'docs/patreon.md',
		answer: [
			/create a client of API version 2/,
			/`active_patron`/,
			/free members/,
			/same credential/,
		],
	},
];

describe('the questions of a user', () => {
	it.each(QUESTIONS)('$question', ({ place, answer }) => {
		const [page = '', anchor] = place.split('#');
		if (page !== 'README.md') expect(readme).toContain(`](${place})`);
		const text = anchor === undefined ? pageAt(page) : sectionOf(pageAt(page), anchor);
		expect(answer.filter((part) => !part.test(text))).toEqual([]);
		// Steps to follow are done one after the other.
		if (anchor === undefined) return;
		expect(wordsBefore(text, answer)).toBeLessThanOrEqual(MOST_WORDS);
	});
});
