import type { IDataObject } from 'n8n-workflow';

import { pageAt, sectionOf } from '../../support/pages';
import { imported, listen, live, mockServers, openFeeds, set, useMembers } from './support';

useMembers();

const ways = sectionOf(pageAt('workflows/README.md'), 'if-a-record-does-not-fit');

/** An expression that the page shows. */
function shown(expression: string): string {
	expect(ways).toContain(`\`{{ ${expression} }}\``);
	return `={{ ${expression} }}`;
}

/** Calls the workflow with a list in the body, which a node splits as the page says. */
async function split(field: string, fields: IDataObject, body: IDataObject | IDataObject[]) {
	const workflow = imported('any-system.json', set('Set Access', fields));
	workflow.insert('Access Call', {
		name: 'Split Out',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: field, include: 'allOtherFields', options: {} },
	});
	await workflow.call(body);
}

describe('the page has a way for', () => {
	it('several events in one call', async () => {
		listen('left@example.com', '2');
		const events = [
			{ access: 'open', email: 'ana@example.com', customerId: '1' },
			{ access: 'close', email: 'left@example.com', customerId: '2' },
			{ access: 'open', email: 'cy@example.com', customerId: '3' },
		];
		await split('body', {}, events);
		expect(openFeeds()).toEqual(['ana@example.com', 'cy@example.com']);
	});

	it('seats: one record for several people', async () => {
		const fields = {
			email: "={{ $json['body.seats'].email }}",
			customerId: shown("$json.body.customerId + '-' + $json['body.seats'].email"),
		};
		const team = { access: 'open', customerId: '7' };
		const seats = ['ana', 'ben'].map((name) => ({ email: `${name}@example.com` }));
		await split('body.seats', fields, { ...team, seats });
		expect(openFeeds()).toEqual(['ana@example.com', 'ben@example.com']);
		await split('body.seats', fields, { ...team, access: 'close', seats });
		expect(openFeeds()).toEqual([]);
	});

	it('a gift: one column or else another', async () => {
		mockServers().list.text = [
			'id,email,recipient,status',
			'1,payer@example.com,friend@example.com,active',
			'2,own@example.com,,active',
		].join('\n');
		const email = shown('$json.recipient || $json.email');
		await imported('any-list.json', live, set('Sync', { email })).run();
		expect(openFeeds()).toEqual(['friend@example.com', 'own@example.com']);
	});

	it('a column whose name has a dot', async () => {
		mockServers().list.text = ['id,member.email,status', '1,ana@example.com,active'].join('\n');
		const email = shown("$json['member.email']");
		await imported('any-list.json', live, set('Sync', { email })).run();
		expect(openFeeds()).toEqual(['ana@example.com']);
	});

	it('a field within a field', async () => {
		const fields = { email: shown('$json.body.member.email'), customerId: '' };
		const workflow = imported('any-system.json', set('Set Access', fields));
		await workflow.call({ access: 'open', member: { email: 'ana@example.com' } });
		expect(openFeeds()).toEqual(['ana@example.com']);
	});
});
