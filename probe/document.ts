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

This package was built without a Supercast account. It is tested against the [sandbox](../sandbox/README.md), which follows the sources below, and not yet against Supercast itself. [One command](#try-it-with-your-account) finds out what is true.

These are the sources:

- **specification**: the text of Supercast's public API reference
- **reference**: supercast.readme.io, the subscriber object
- **client**: Supercast's own Ruby client, \`SupercastDev/supercast-api-ruby\`
- **help**: support.supercast.com
- **integrations**: Pipedream's published Supercast components

The last column says which part of the probe checks the row. The part _reading_ changes nothing.
`;

const TAIL = `
## What the actions do to people

Supercast's help says this. The probe does not try it.

- **Dismiss** a usage alert: Supercast can raise the next one. **Ignore**: that subscriber raises no more alerts.
- **Suspend Listener and Stop Billing**: the feed closes, and the subscriber's billing stops.
- **Deactivate** in the dashboard also cancels the subscription. It is unknown whether **Feed: Deactivate** stops Supercast's billing.
- **Delete**: the subscriber loses access.

Supercast bills subscribers who have a \`plan_id\`. If another system created the subscriber through the API, with a \`customer_id\`, that system bills them. Before you close the feed of someone who pays Supercast directly, check in Supercast whether their billing stops too.

## Try it with your account

You need a clone of this repository, Node 20 or later, and an access token ([how to get one](credentials.md#access-token)).

1. Run the part that only reads. It takes a minute and stays under half of Supercast's limit:

   \`\`\`sh
   SUPERCAST_TOKEN=… npm run probe -- --base-url https://supercast.tech/api/v1 --json probe.json
   \`\`\`

2. If you like, let it write as well. Use an address that belongs to you and that no subscriber has, for example \`you+probe@example.com\`:

   \`\`\`sh
   SUPERCAST_TOKEN=… npm run probe -- --base-url https://supercast.tech/api/v1 --write you+probe@example.com --json probe.json
   \`\`\`

   It asks first. Then it creates a subscriber with that address, and changes, suspends, opens, closes and deletes them. It does this twice. If a subscriber already has the address, it stops without writing. If Supercast hides that subscriber from look-ups, it stops after the first create and says so. If you stop it with Ctrl+C, it still deletes what it created. If something is left, its last line says so.

3. With \`--limit\`, it also sends requests until Supercast refuses one. It asks first, because Supercast may refuse requests of your other apps for a minute.
4. Attach \`probe.json\` to an [issue](https://github.com/n8n-nodes-supercast/n8n-nodes-supercast/issues/new?template=service.yml). It has the rows of the table and the names of fields, but no email, name, token or feed address. Read it before you send it.
`;

function row({ fact, source, certainty, foundBy }: Fact): string {
	const seenBy = { reading: 'reading', write: '`--write`', limit: '`--limit`', nothing: '' }[
		foundBy
	];
	return `| ${fact} | ${source} | ${certainty} | ${seenBy} |`;
}

async function servicePage(): Promise<string> {
	const rows = Object.values(facts).map(row);
	const table = ['| what | source | certainty | seen by |', '| --- | --- | --- | --- |', ...rows];
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
