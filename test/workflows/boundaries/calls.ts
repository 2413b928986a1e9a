/** What a workflow does if a call fails, after the tries that its node makes. */
type Failure =
	/** The execution fails, so n8n says so. */
	| 'the execution fails'
	/** The next node gets the failure in place of data. */
	| 'the failure is data'
	/** n8n itself tells the model. */
	| 'the model is told'
	/** The next poll finds the same. */
	| 'the next poll'
	/** The error output leads to these nodes. */
	| `to ${string}`;

/** How many items reach the node at a time, because n8n tries all items again if one fails. */
type Share = 'one of a loop' | 'one' | 'some, in one call';

/** A call to another system, or to another execution. */
export interface Call {
	fails: Failure;
	items: Share;
}

const call = (fails: Failure, items: Share): Call => ({ fails, items });

const poll = call('the next poll', 'one');
const tool = call('the model is told', 'one');

/** Each call of the workflows, except of those that have tests in `members/`. */
export const CALLS: Record<string, Record<string, Call>> = {
	'payment-failed.json': {
		'Payment Failed': poll,
		'Email the Member': call('to Count, One at a Time', 'one of a loop'),
		'Try Again Later': call('the execution fails', 'one of a loop'),
		'Get Subscriber': call('to Not Gone', 'one'),
	},
	'joined-or-left.json': {
		'Subscriber Created': poll,
		'State Changed': poll,
		Slack: call('to 10 for Slack', 'some, in one call'),
		Discord: call('to A Moment', 'some, in one call'),
		Kit: call('to 1 for Kit', 'one of a loop'),
		'Kit Tag': call('to Left and Unknown', 'one of a loop'),
		'Google Sheets': call('to When All Are Told', 'some, in one call'),
	},
	'support.json': {
		'Get Subscriber': call('to Page: Not Found', 'one'),
		'Look Again': call('to Page: Not Done', 'one'),
		'Activate Feed': call('to Page: Not Done', 'one'),
		'Email the Address': call('to Page: Not Done', 'one'),
	},
	'tell-members.json': {
		'New Subscriber': poll,
		'Feed Open Again': poll,
		'Send Email': call('to Count, One at a Time', 'one of a loop'),
		'Try Again Later': call('the execution fails', 'one of a loop'),
		'Look at the Feed': call('to Not Gone', 'one'),
	},
	'weekly-report.json': {
		'Subscriber Created': poll,
		'State Changed': poll,
		'Subscriber Deleted': poll,
		'Table of the Week': call('the failure is data', 'one'),
		'What Was Noted': call('the failure is data', 'one'),
		'Get Subscribers': call('the failure is data', 'one'),
		'Email the Report': call('the execution fails', 'one'),
		'Forget Old Notes': call('the execution fails', 'one'),
		Table: call('the execution fails', 'one'),
		'Note It': call('the execution fails', 'some, in one call'),
	},
	'chat.json': {
		'Episode Published': poll,
		'Question Asked': poll,
		'Post It': call('to A Moment', 'one of a loop'),
	},
	'usage-alerts.json': {
		'Alert Raised': poll,
		'One Execution Each': call('the execution fails', 'one of a loop'),
		'Get Subscriber': call('the failure is data', 'one'),
		'Ask a Person': call('to Is It to Be Asked Again', 'one'),
		'Dismiss Alert': call('to Tell the Person', 'one'),
		'Ignore Alert': call('to Tell the Person', 'one'),
		'Suspend Listener and Stop Billing': call('to Tell the Person', 'one'),
		'Tell the Person': call('the execution fails', 'one'),
	},
	'feed-link.json': {
		'Get Subscriber': call('to More Than Unknown', 'one'),
		'Email the Address': call('to One More Try', 'one'),
	},
	'mcp-server.json': Object.fromEntries(
		[
			...['Get Subscriber', 'List Subscribers', 'Find Subscribers', 'Get Feed', 'Get Channel'],
			...['List Usage Alerts', 'List Episodes', 'Get Episode', 'List Questions'],
			...['Create or Update Subscriber', 'Suspend Feed', 'Activate Feed', 'Delete Subscriber'],
			'Dismiss Usage Alert',
		].map((name) => [name, tool]),
	),
};
