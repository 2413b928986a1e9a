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
type Share = 'one of a loop' | 'one' | 'each by itself' | 'some, in one call';

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
		'Email the Member': call('to Not Sent', 'each by itself'),
	},
	'tell-team.json': {
		'Subscriber Created': poll,
		'State Changed': poll,
		'Subscriber Deleted': poll,
		Chat: call('to Not Told', 'one'),
		'Google Sheets': call('the execution fails', 'some, in one call'),
	},
	'mailing-list.json': {
		'Subscriber Created': poll,
		'State Changed': poll,
		'Subscriber Deleted': poll,
		Kit: call('to Not Done', 'each by itself'),
		'Kit Tag': call('to Not Done', 'each by itself'),
	},
	'support.json': {
		'Get Subscriber': call('to Page: Result', 'one'),
		'Set Access': call('to Page: Result', 'one'),
		'Look Again': call('to Page: Result', 'one'),
		'Email the Address': call('to Page: Result', 'one'),
	},
	'tell-members.json': {
		'New Subscriber': poll,
		'Feed Open Again': poll,
		'Look at the Feed': call('the failure is data', 'one of a loop'),
		'Send Email': call('to One at a Time', 'one of a loop'),
	},
	'chat.json': {
		'Episode Published': poll,
		'Question Asked': poll,
		'Post It': call('to Not Posted', 'each by itself'),
	},
	'usage-alerts.json': {
		'Alert Raised': poll,
		'One Execution Each': call('the execution fails', 'one of a loop'),
		'Get Subscriber': call('the failure is data', 'one'),
		'Ask a Person': call('to Ask Again Later', 'one'),
		'Dismiss Alert': call('to Tell the Person', 'one'),
		'Ignore Alert': call('to Tell the Person', 'one'),
		'Suspend Listener and Stop Billing': call('to Tell the Person', 'one'),
		'Tell the Person': call('the execution fails', 'one'),
	},
	'feed-link.json': {
		'Get Subscriber': call('to Not Sent', 'one'),
		'Email the Address': call('to Not Sent', 'one'),
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
