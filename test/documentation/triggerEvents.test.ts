import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SupercastTrigger } from '../../nodes/Supercast/SupercastTrigger.node';

it('the page of the trigger has a row for each event, with its label', () => {
	const { properties } = new SupercastTrigger().description;
	const { options = [] } = properties.find(({ name }) => name === 'event') ?? {};
	const page = readFileSync(join(__dirname, '..', '..', 'docs', 'trigger.md'), 'utf8');
	const [, table = ''] = page.split('| Trigger On ');
	const [rows = ''] = table.split('\n\n');
	const labels = rows
		.split('\n')
		.slice(2)
		.map((row) => row.split('|')[1]?.trim());
	expect(labels.sort()).toEqual(options.map(({ name }) => name).sort());
});
