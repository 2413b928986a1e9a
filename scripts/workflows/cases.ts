import { senders } from '../../test/e2e/workflows/cases';
import type { AccessCase, Sender } from '../../test/e2e/workflows/cases/case';

/** The page with every event of the end-to-end tests, one row per case. */
export function casesPage(): string {
	return [
		'# What each event does',
		'',
		'Each row is one end-to-end test. The test imports the published workflow into a real n8n, sends the event twice, and checks the feed each time. The tests simulate the documented API of each membership system, and use no real accounts. The code in `scripts/workflows` generates this page from the tests.',
		'',
		'The columns **before** and **after** show the state of the subscriber in Supercast. _nobody_ means that there is no subscriber. The grace period is seven days.',
		'',
		'For every membership system, the tests also cover:',
		'',
		'- a wrong signature, and a missing signature',
		'- events that arrive in the wrong order',
		'- a changed email, and a member whom Supercast knows only by email or only by customer ID',
		'- a subscriber whom Supercast bills, and a subscriber with another customer ID',
		'- a feed that is suspended for sharing, and a member without a feed to close',
		'- an outage of Supercast',
		...senders.flatMap(section),
		'',
	].join('\n');
}

function section({ name, source, cases }: Sender): string[] {
	return [
		'',
		`## ${name}`,
		'',
		`Source of the payloads: ${source.match(/https:[^\s),;]+/g)?.join(', ')}`,
		'',
		'| event | what happened | before | after |',
		'| --- | --- | --- | --- |',
		...cases.map(row),
	];
}

const state = (feed: string): string => (feed === 'nobody' ? '_nobody_' : feed);

function row({ event, when, before, after }: AccessCase): string {
	return `| \`${event}\` | ${when} | ${state(before)} | ${state(after)} |`;
}
