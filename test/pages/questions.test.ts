import { dirname, join } from 'node:path';

import { pageAt, sectionOf } from '../support/pages';

/** A user's question, the place that answers it, and the whole answer. */
interface Question {
	question: string;
	/** A page, and the anchor of a section. */
	place: string;
	answer: RegExp[];
}

const QUESTIONS: Question[] = [
	{
		question: 'How do I install it in Docker?',
		place: 'docs/installation.md',
		answer: [
			/docker cp /,
			/docker build /,
			/docker run /,
			/docker compose /,
			/did not try [^.]*\bCompose/,
		],
	},
	{
		question: 'How do I close feeds when someone cancels at Stripe?',
		place: 'docs/set-up.md',
		answer: [
			/set-up-stripe\.md/,
			/Press \*\*Execute workflow/,
			/turn off \*\*Dry Run/,
			/\*\*Publish\*\*/,
		],
	},
	{
		question: 'What happens when a member pays again?',
		place: 'docs/operate.md#returning-members',
		answer: [/Your workflow opens the feed/, /stays the same/, /inferred/, /add the feed again/],
	},
	{
		question: 'How do I learn that it failed at night?',
		place: 'docs/operate.md#emails-to-you-reports-and-alerts',
		answer: [/An alert\*\* comes if a scheduled sync run fails/, /If n8n is down/, /use a monitor/],
	},
	{
		question: 'How do I learn that one of my other workflows failed?',
		place: 'docs/troubleshooting.md#failed-items',
		answer: [/\*\*Error Workflow\*\*/, /Runs in the editor don't start the error workflow/],
	},
	{
		question: 'Do other apps share the limit?',
		place: 'docs/troubleshooting.md#the-request-limit',
		answer: [
			/100 requests per minute\*\* across all apps/,
			/lower \*\*Requests per Minute\*\*/,
			/retries refused requests/,
		],
	},
	{
		question: 'How do I import 2,000 members?',
		place: 'docs/set-up.md',
		answer: [/\bpastes?\b/i, /Execute workflow/, /turn off \*\*Dry Run/],
	},
	{
		question: 'How long do 2,000 members take?',
		place: 'docs/operate.md#costs-and-how-often-to-sync',
		answer: [/2,000 \|\s+21 \|\s+20 minutes/],
	},
	{
		question: 'What happens when n8n is off for a day?',
		place: 'docs/operate.md#delays-how-long-access-can-be-wrong',
		answer: [
			/If n8n is off\*\*, the workflows neither open nor close feeds/,
			/first sync run afterwards opens feeds/,
		],
	},
	{
		question: 'Can I undo a deletion?',
		place: 'docs/operate.md#undo',
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
		answer: [/n8n 1\.85 to 2\.41/, /n8n 3/, /queue mode/],
	},
	{
		question: 'Can I use it on n8n Cloud?',
		place: 'README.md#is-it-for-you',
		answer: [/host n8n themselves/, /You use n8n Cloud/],
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
		place: 'docs/operate.md#emails-to-members',
		answer: [
			/don't email members/,
			/tell-members\.json/,
			/may welcome a member/,
			/two welcome emails/,
		],
	},
	{
		question: 'What does the installation by hand need?',
		place: 'docs/installation.md#by-hand',
		answer: [/four command lines/, /README\.md#install/, /restart n8n/, /Community nodes/],
	},
	{
		question: 'Which podcast apps can members use?',
		place: 'docs/operate.md#podcast-apps',
		answer: [/add a feed by its address/, /Spotify can't/, /unknown/],
	},
	{
		question: 'What does it cost for my number of members?',
		place: 'docs/operate.md#costs-and-how-often-to-sync',
		answer: [/ 500 \|/, / 2,000 \|/, / 5,000 \|/, /10,000 \|/, /The package is free/],
	},
	{
		question: 'How do I connect Patreon, and who counts?',
		place: 'docs/set-up-patreon.md',
		answer: [/client of API version 2/, /`active_patron`/, /free members/, /same credential/],
	},
	{
		question: "What do I enter in n8n's dialog for Patreon, and where is the ID of a tier?",
		place: 'docs/set-up-patreon.md',
		answer: [
			/https:\/\/www\.patreon\.com\/oauth2\/authorize/,
			/https:\/\/www\.patreon\.com\/api\/oauth2\/token/,
			/campaigns\.members\[email\]/,
			/names and IDs of your tiers/,
		],
	},
	{
		question: 'Patreon: a card is declined, or someone hides the email?',
		place: 'docs/set-up-patreon.md',
		answer: [/14 days after Patreon's last try/, /hide their email/, /n8n renews Patreon's token/],
	},
	{
		question: 'Which address of Ghost do I enter, and how do I choose tiers?',
		place: 'docs/set-up-ghost.md',
		answer: [/API URL/, /\*\*Settings\*\* > \*\*Tiers\*\*/, /`tier\.Gold`/],
	},
	{
		question: 'Ghost: who counts, until when, and what if a free member upgrades?',
		place: 'docs/set-up-ghost.md',
		answer: [
			/until their subscription ends/,
			/nightly task/,
			/upgrades later waits for the next sync run/,
		],
	},
	{
		question: 'Stripe: which rights does the key need, and how do I count only my podcast?',
		place: 'docs/set-up-stripe.md',
		answer: [
			/customers, products and subscriptions/,
			/\*\*Forbidden\*\*/,
			/`product\.prod_A`/,
			/pause only its payment collection/,
		],
	},
	{
		question: 'What happens to people who left before I started?',
		place: 'docs/operate.md#start-with-people-who-are-already-in-supercast',
		answer: [/old automation/, /left before you started/, /Feed: Deactivate/],
	},
	{
		question: 'Which feeds may Sync close, and what stops it?',
		place: 'docs/sync.md',
		answer: [/5% of the feeds that it may close/, /customer ID and without a plan/],
	},
	{
		question: 'What happens if the list is incomplete?',
		place: 'docs/sync.md#incomplete-lists',
		answer: [/opens feeds, but closes no feeds/, /third incomplete list in a row/],
	},
	{
		question: 'Many members really left. How do I close their feeds?',
		place: 'docs/sync.md#close-many-feeds-on-purpose',
		answer: [/set the limit to that value/, /back to 5/],
	},
	{
		question: 'What is stored where, for how long, and how do I purge it?',
		place: 'docs/privacy.md',
		answer: [
			/14 days by n8n's default/,
			/Names and emails of up to 40/,
			/Import the workflow again/,
		],
	},
	{
		question: 'What can go wrong with several workers?',
		place: 'docs/queue-mode.md',
		answer: [/About a third of the pairs/, /overlap on two workers/, /one to three minutes/],
	},
	{
		question: 'Why did the trigger not fire?',
		place: 'docs/trigger.md',
		answer: [/published/, /first poll/, /Executions/, /Get Many/],
	},
];

const linksIn = (path: string): string[] => {
	const links = [...pageAt(path).matchAll(/\]\(([^)#\s]+)/g)].map(([, link]) => link!);
	return links.filter((link) => !/^[a-z]+:/.test(link)).map((link) => join(dirname(path), link));
};

describe('the questions of a user', () => {
	it.each(QUESTIONS)('$question', ({ place, answer }) => {
		const [page = '', anchor] = place.split('#');
		const text = anchor === undefined ? pageAt(page) : sectionOf(pageAt(page), anchor);
		expect(answer.filter((part) => !part.test(text))).toEqual([]);
	});

	it.each([...new Set(QUESTIONS.map(({ place }) => place.split('#')[0]!))])(
		'%s is at most two clicks away from the README',
		(page) => {
			const near = ['README.md', ...linksIn('README.md')];
			const pages = near.filter((path) => path.endsWith('.md'));
			expect([...near, ...pages.flatMap(linksIn)]).toContain(page);
		},
	);
});
