import { codeOf } from './code';
import {
	code,
	COLOR,
	email,
	schedule,
	setting,
	settings,
	subscriber,
	supercast,
	toldOnError,
	type Part,
	type Plan,
} from './parts';

const mail = { mailFrom: 'n8n@example.com' };

/** Every subscriber, or those in one state. */
const getSubscribers = (at: Part['at'], filters: Record<string, unknown> = {}): Part =>
	supercast('Get Subscribers', at, {
		resource: 'subscriber',
		operation: 'getAll',
		returnAll: true,
		filters,
	});

/** A weekly email with the number of open feeds, and who joined or left. */
export const weeklyReport: Plan = {
	file: 'weekly-report',
	id: 'supercastWeeklyReport',
	name: 'Weekly Report',
	parts: [
		schedule('Every Monday', [0, 0], { field: 'weeks', triggerAtDay: [1], triggerAtHour: 7 }),
		settings({ ...mail, tellWhom: 'you@example.com' }, [1, 0]),
		getSubscribers([2, 0]),
		code('Count', [3, 0], codeOf('report')),
		email('Email the Report', [4, 0], {
			subject: '=Your podcast this week: {{ $json.open }} open feeds',
			text: '={{ $json.text }}',
		}),
	],
	notes: [
		{
			text: '## Fill in Settings\n- **mailFrom**: your sender address\n- **tellWhom**: who gets the report',
			columns: [0, 1],
			color: COLOR.settings,
		},
		{
			text: '## Count and send\nChoose your Supercast credential in **Get Subscribers** and your SMTP credential in **Email the Report**.',
			columns: [2, 4],
			color: COLOR.act,
		},
	],
	wires: [
		['Every Monday', 'Settings'],
		['Settings', 'Get Subscribers'],
		['Get Subscribers', 'Count'],
		['Count', 'Email the Report'],
	],
	settings: toldOnError,
};

/** An email to people whose feeds were closed a month ago. */
export const winBack: Plan = {
	file: 'win-back',
	id: 'supercastWinBack',
	name: 'Win Back',
	parts: [
		schedule('Every Day', [0, 0], { triggerAtHour: 10 }),
		settings(
			{
				...mail,
				daysClosed: 30,
				subject: 'We miss you',
				text: 'Hello {name},\n\nYour private feed has been closed for a month. If you would like to listen again, you can join here:\n\nhttps://example.com/join\n\nThe address of your feed stays the same.',
			},
			[1, 0],
		),
		getSubscribers([2, 0], {
			state: ['deactivated'],
			updatedAfter: `={{ $now.minus({ days: ${setting('daysClosed')} + 2 }).toISO() }}`,
		}),
		code('Closed That Day', [3, 0], codeOf('winBack')),
		email('Email Them', [4, 0], {
			to: '={{ $json.email }}',
			subject: `={{ ${setting('subject')} }}`,
			text: `={{ ${setting('text')}.replaceAll('{name}', $json.first_name || 'there') }}`,
		}),
	],
	notes: [
		{
			text: '## Fill in Settings\n- **mailFrom**: your sender address\n- **daysClosed**: how many days after their feed closed people get the email\n- **subject**, **text**: the email',
			columns: [0, 1],
			color: COLOR.settings,
		},
		{
			text: '## Find and send\nChoose your Supercast credential in **Get Subscribers** and your SMTP credential in **Email Them**.\nEmail only people who have agreed to such emails. The workflow counts the days from the last change to the subscriber in Supercast.',
			columns: [2, 4],
			color: COLOR.act,
		},
	],
	wires: [
		['Every Day', 'Settings'],
		['Settings', 'Get Subscribers'],
		['Get Subscribers', 'Closed That Day'],
		['Closed That Day', 'Email Them'],
	],
	settings: toldOnError,
};

/** Turns off usage alerts for the people in a list. */
export const vips: Plan = {
	file: 'vips',
	id: 'supercastVips',
	name: 'VIPs',
	parts: [
		schedule('Every Night', [0, 0], { triggerAtHour: 3 }),
		settings({ vips: '' }, [1, 0]),
		getSubscribers([2, 0]),
		code('Who Raises Alerts', [3, 0], codeOf('vips')),
		supercast('Ignore Their Alerts', [4, 0], {
			resource: 'subscriber',
			operation: 'update',
			...subscriber('uuid', '={{ $json.uuid }}'),
			updateFields: { ignoreUsageAlerts: true },
		}),
	],
	notes: [
		{
			text: '## Fill in Settings\n- **vips**: the emails of people whose feeds should raise no alerts, separated by commas',
			columns: [0, 1],
			color: COLOR.settings,
		},
		{
			text: '## No more alerts\nChoose your Supercast credential in both nodes.\nTo undo this for someone, remove them from **vips** and turn off **Ignore Usage Alerts** in Supercast.',
			columns: [2, 4],
			color: COLOR.act,
		},
	],
	wires: [
		['Every Night', 'Settings'],
		['Settings', 'Get Subscribers'],
		['Get Subscribers', 'Who Raises Alerts'],
		['Who Raises Alerts', 'Ignore Their Alerts'],
	],
	settings: toldOnError,
};
