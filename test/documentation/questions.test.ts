import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

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
		answer: [
			/Set Access, Sync/,
			/stays the same/,
			/inferred/,
			/add the feed again/,
			/Pocket Casts.*three months/,
		],
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
	...situations({
		'A payment failed. How long is the feed open, in my system?': [
			/Stripe +\| Open: \*\*past due\*\* counts/,
			/Patreon +\| Open: \*\*declined/,
			/Memberful +\| Open/,
			/Ghost +\| Open/,
			/on-hold does not count/,
		],
		'I refund a payment. Does the feed close?': [/A refund alone ends nothing/, /Cancel it/],
		'How do I give access to guests, staff and winners?': [/free membership/, /column `until`/],
		'A family shares one email. How many feeds do they get?': [/one subscriber for each email/],
		'Someone has two memberships, and one ends. What happens?': [/until both end/, /joined list/],
		'A member changes the email. Is the feed lost?': [/changes the email in Supercast/],
		'I want to pause everything for a day. How?': [/Unpublish the workflow/, /catches up/],
		'I come from Zapier and have subscribers. What now?': [/Add Customer IDs/, /old automation/],
		'I move n8n to another server. What do I take along?': [/encryption key/, /Stop the old n8n/],
		'Is it running?': [/morning email comes every day/, /Executions/],
		'How do I try it with one person?': [/Put only yourself on a list/],
		'"Delete my data." How?': [/End the membership first/],
		'Supercast bills some members directly. What happens to them?': [/have a plan there/],
		'How do I get rid of it?': [/Unpublish all workflows/, /webhooks/, /revoke the token/, /sheet/],
		'The email names a conflict. What do I do?': [
			/several emails +\| Correct the list/,
			/Supercast another +\| Run/,
			/has the email +\| Change/,
		],
	}),
];

/** Questions that the page Situations answers. */
function situations(answers: Record<string, RegExp[]>): Question[] {
	return Object.entries(answers).map(([question, answer]) => ({
		question,
		place: 'docs/situations.md',
		answer,
	}));
}

const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replace(/ /g, '-');

/** The section with this anchor, with its subsections. */
function sectionOf(text: string, anchor: string): string {
	const heading = [...text.matchAll(/^(#+) (.*)$/gm)].find((one) => anchorOf(one[2]!) === anchor)!;
	const rest = text.slice(heading.index + heading[0].length);
	const end = rest.search(new RegExp(`^#{1,${heading[1]!.length}} `, 'm'));
	return end < 0 ? rest : rest.slice(0, end);
}

/** A person reads about 240 words in a minute, so these take half of one. */
const MOST_WORDS = 120;

/** The words of sentences. Tables and code are not read, but searched. */
const wordsOf = (text: string): number =>
	(
		text
			.replace(/```[\s\S]*?```|^\|.*$/gm, '')
			.replace(/\]\([^)]*\)/g, ']')
			.match(/[\p{L}\p{N}]\S*/gu) ?? []
	).length;

describe('the questions of a user', () => {
	it.each(QUESTIONS)('$question', ({ place, answer }) => {
		const [page = '', anchor] = place.split('#');
		if (page !== 'README.md') expect(readme).toContain(`](${place})`);
		const text = anchor === undefined ? read(page) : sectionOf(read(page), anchor);
		expect(answer.filter((part) => !part.test(text))).toEqual([]);
		// Steps to follow are done one after the other.
		if (anchor === undefined) return;
		const ends = answer.map((part) => text.search(part) + part.exec(text)![0].length);
		expect(wordsOf(text.slice(0, Math.max(...ends)))).toBeLessThanOrEqual(MOST_WORDS);
	});
});
