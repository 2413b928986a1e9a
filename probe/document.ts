/**
 * Writes docs/service.md from the list of facts that the probe uses.
 *
 * Usage: npm run docs; with --check, it only says whether the page is as it should be
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { facts } from './facts';
import type { Fact } from './finding';

const SERVICE_PAGE = join(__dirname, '..', 'docs', 'service.md');

const HEAD = `# What is known about Supercast's API, and what is inferred

This package was built without a Supercast account. It was tested against the [sandbox](../sandbox/README.md), a stand-in that follows the sources below, and not yet against Supercast itself. One command finds out what is true: see [below](#try-it-with-your-account).

Sources: the **specification** (the text of Supercast's public API reference), the **reference** (supercast.readme.io, the subscriber object), the **client** (Supercast's own Ruby client, \`SupercastDev/supercast-api-ruby\`), the **help** (support.supercast.com), **integrations** (Pipedream's published Supercast components).

_Seen by_ says which part of the probe finds it out: _reading_, which changes nothing, \`--write\` or \`--limit\`.
`;

const TAIL = `
## What the actions do to people

The help says it, and the probe does not try it:

- **Dismiss** a usage alert: the next one comes. **Ignore**: that subscriber raises no alert any more.
- **Suspend** from a usage alert: the feed closes, and the subscriber's billing stops.
- **Deactivate** in the dashboard cancels the subscription as well. Whether Feed: Deactivate over the API stops Supercast's billing is unknown.
- **Delete**: the subscriber loses access.

Subscribers are billed by Supercast itself (\`plan_id\` says for what) or by a system outside of it, which created them over the API (\`customer_id\`). Before you close somebody who pays Supercast directly, look in Supercast whether their billing stops too.

## Try it with your account

You need a clone of this repository, Node 20 or later, and an access token ([how to get one](credentials.md#access-token)).

1. Run the part that only reads. It takes a minute, at under half of Supercast's limit:

   \`\`\`sh
   SUPERCAST_TOKEN=… npm run probe -- --base-url https://supercast.tech/api/v1 --json probe.json
   \`\`\`

2. If you like, let it write as well. Take an address that belongs to you and that no subscriber has, such as \`you+probe@example.com\`:

   \`\`\`sh
   SUPERCAST_TOKEN=… npm run probe -- --base-url https://supercast.tech/api/v1 --write you+probe@example.com --json probe.json
   \`\`\`

   It asks first. Then it creates a subscriber with that address, changes, suspends, opens, closes and deletes them, and does so once more. If somebody has the address, it stops without writing, unless Supercast hides them from look-ups: then it stops after the first create, and says so. If you stop it with Ctrl+C, it still deletes what it created. If something is left, its last line says so.

3. With \`--limit\`, it also sends requests until Supercast refuses one. It asks first, since your other apps may be refused for a minute.
4. Attach \`probe.json\` to an [issue](https://github.com/n8n-nodes-supercast/n8n-nodes-supercast/issues/new?template=service.yml). It holds the rows of the table and the names of fields, and no email, name, token or feed address. Read it before you send it.
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
	process.stderr.write('docs/service.md is not what the list of facts says: npm run docs\n');
	process.exitCode = 1;
}

void main(process.argv.includes('--check'));
