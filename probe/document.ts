/**
 * Writes docs/service.md from the probe's list of facts.
 *
 * Usage: npm run docs; with --check, it only says whether the page is up to date
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { facts } from './facts';
import type { Fact } from './finding';

const SERVICE_PAGE = join(__dirname, '..', 'docs', 'service.md');

const HEAD = `# What is known about Supercast's API, and what is inferred

This package was built without a Supercast account. It has been tested against the [sandbox](../sandbox/README.md), which follows the sources below, but not yet against Supercast itself. To check these statements with your account, [run one command, the probe](#try-it-with-your-account).

These are the sources:

- **specification**: the text of Supercast's public API reference
- **reference**: the page about the subscriber object on supercast.readme.io
- **client**: Supercast's own Ruby client, \`SupercastDev/supercast-api-ruby\`
- **help**: support.supercast.com
- **integrations**: Pipedream's published Supercast components

The last column shows which part of the probe checks each statement. The part _reading_ doesn't change any data.
`;

const TAIL = `
## How the actions affect subscribers

Supercast's help describes these effects. The probe doesn't check them.

- After **Dismiss**, Supercast can raise another usage alert for the same subscriber. After **Ignore**, it raises no more alerts for them.
- **Suspend Listener and Stop Billing** closes the feed and stops the subscriber's billing.
- **Deactivate** in the dashboard also cancels the subscription. It is unknown whether **Feed: Deactivate** stops Supercast's billing.
- **Delete** ends the subscriber's access.

Supercast bills subscribers who have a \`plan_id\`. If another system created the subscriber through the API, with a \`customer_id\`, that system bills them. Before you close the feed of someone who pays Supercast directly, check in Supercast whether their billing stops too.

## Try it with your account

You need a clone of this repository, Node 20 or later, and an access token ([how to get one](credentials.md#access-token)).

1. Run the part that only reads. It takes a minute and uses less than half of Supercast's limit:

   \`\`\`sh
   SUPERCAST_TOKEN=… npm run probe -- --base-url https://supercast.tech/api/v1 --json probe.json
   \`\`\`

2. Optionally, let the probe write as well. Use an address of yours that doesn't belong to a subscriber yet, for example \`you+probe@example.com\`:

   \`\`\`sh
   SUPERCAST_TOKEN=… npm run probe -- --base-url https://supercast.tech/api/v1 --write you+probe@example.com --json probe.json
   \`\`\`

   The probe asks for confirmation first. Then it creates a subscriber with that email, and changes, suspends, opens, closes and deletes that subscriber. It repeats these steps once. If a subscriber already has the email, the probe stops without writing. If the look-ups don't find that subscriber, the probe stops after the first create request and says so. If you stop the probe with Ctrl+C, it still deletes the subscriber that it created. If a record remains in Supercast, the last line of the output says so.

3. To check the limit too, add \`--limit\`. The probe then sends requests until Supercast refuses one. It asks for confirmation first, because Supercast may refuse requests from your other apps for a minute.
4. Attach \`probe.json\` to an [issue](https://github.com/n8n-nodes-supercast/n8n-nodes-supercast/issues/new?template=service.yml). The file contains the rows of the table and names of fields, but no emails, names, tokens or feed addresses. Read the file before you attach it.
`;

function row({ fact, source, certainty, foundBy }: Fact): string {
	const seenBy = { reading: 'reading', write: '`--write`', limit: '`--limit`', nothing: '' }[
		foundBy
	];
	return `| ${fact} | ${source} | ${certainty} | ${seenBy} |`;
}

async function servicePage(): Promise<string> {
	const rows = Object.values(facts).map(row);
	const table = [
		'| statement | source | certainty | checked by |',
		'| --- | --- | --- | --- |',
		...rows,
	];
	const config = await resolveConfig(SERVICE_PAGE);
	return await format(`${HEAD}\n${table.join('\n')}\n${TAIL}`, { ...config, parser: 'markdown' });
}

async function main(isCheck: boolean): Promise<void> {
	const page = await servicePage();
	if (!isCheck) return writeFileSync(SERVICE_PAGE, page);
	if (readFileSync(SERVICE_PAGE, 'utf8') === page) return;
	process.stderr.write('docs/service.md does not match the list of facts: run npm run docs\n');
	process.exitCode = 1;
}

void main(process.argv.includes('--check'));
