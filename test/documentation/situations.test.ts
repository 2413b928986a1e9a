/** Whether each section of the page Situations answers completely what its heading asks. */

import { anchorOf, MOST_WORDS, pageAt, sectionOf, wordsBefore } from '../support/pages';

const page = pageAt('docs/situations.md');
const section = (heading: string): string => sectionOf(page, anchorOf(heading));

/** What each section says, by its heading. */
const ANSWERS: Record<string, RegExp[]> = {
	'A payment fails': [
		/Stripe +\| Open: \*\*past due\*\* counts/,
		/Patreon +\| Open: \*\*declined/,
		/Memberful +\| Open for \[48 hours/,
		/Ghost +\| Open/,
		/on-hold does not count/,
	],
	'You refund a payment': [/A refund alone ends nothing/, /Cancel it/, /Feed: Suspend/],
	'A gift, a lifetime, a guest or staff': [
		/free membership/,
		/\*\*Stripe\*\*: /,
		/\*\*WooCommerce\*\*: /,
		/\*\*Ghost\*\*: /,
		/\*\*Memberful\*\*: /,
		/\*\*Patreon\*\*: /,
		/column `until`/,
	],
	'A family with one email': [/one subscriber for each email/, /their own email/],
	'Two memberships': [/until both end/, /joined list/, /until the next check/],
	'A member changes the email': [
		/changes the email in Supercast/,
		/changes it back/,
		/without the column `id`/,
		/same address/,
	],
	'Pause everything for a day': [/Unpublish all workflows/, /catch up/],
	'You come from Zapier, or from a CSV': [
		/old automation/,
		/Add Customer IDs/,
		/CSV file/,
		/People who left earlier/,
	],
	'You move n8n to another server': [
		/encryption key/,
		/folder `\.n8n`/,
		/Stop the old n8n/,
		/create the credentials again/,
	],
	'Is it running?': [/morning email comes with the first check/, /Executions/, /monitor\]/],
	'Try it with one person': [
		/Put only yourself on a list/,
		/turn off \*\*Dry Run/,
		/Afterwards, delete yourself/,
	],
	'"Delete my data"': [/End the membership first/, /Subscriber: Delete/, /failed executions/],
	'Supercast bills some members directly': [/have a plan there/, /neither closes nor opens/],
	'You move to another membership system': [/Replace them first/],
	'You uninstall': [
		/Unpublish all workflows/,
		/webhooks/,
		/revoke the token/,
		/sheet or table/,
		/no feed closes anymore/,
	],
	'Your list and Supercast contradict each other': [
		/several emails +\| Correct the list/,
		/Supercast another +\| Run/,
		/has the email +\| Change/,
	],
};

describe('the page Situations', () => {
	it('is one click away from the README and the list of workflows', () => {
		expect(pageAt('README.md')).toContain('](docs/situations.md)');
		expect(pageAt('workflows/README.md')).toContain('](../docs/situations.md)');
	});

	it('has an answer here for each heading', () => {
		const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
		expect(Object.keys(ANSWERS).sort()).toEqual(headings.sort());
	});

	it.each(Object.entries(ANSWERS))('answers completely: %s', (heading, answer) => {
		const text = section(heading);
		expect(answer.filter((part) => !part.test(text))).toEqual([]);
		expect(wordsBefore(text, answer)).toBeLessThanOrEqual(MOST_WORDS);
	});

	it.each(Object.keys(ANSWERS))('takes at most a minute to read with its tables: %s', (heading) => {
		expect(section(heading).split(/\s+/).length).toBeLessThanOrEqual(2 * MOST_WORDS);
	});
});
