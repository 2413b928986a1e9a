// Counts the subscribers, and the changes of the last seven days.
const subscribers = $input.all().map(({ json }) => json);
const week = Date.now() - 7 * 24 * 60 * 60 * 1000;
const since = (value) => Date.parse(value) >= week;
const inState = (...states) => subscribers.filter(({ state }) => states.includes(state));
const names = (list) => list.slice(0, 50).map(({ email }) => `  ${email}`);
const section = (title, list) => [`${title}: ${list.length}`, ...names(list), ''];
const open = inState('available');
const lines = [
	`Open feeds: ${open.length} of ${subscribers.length} subscribers`,
	'',
	...section(
		'Joined',
		open.filter(({ created_at: at }) => since(at)),
	),
	...section(
		'Left',
		inState('deactivated').filter(({ updated_at: at }) => since(at)),
	),
	...section('Suspended', inState('suspended')),
	...section('Payment failed at Supercast', inState('charge_failure')),
];
return [{ json: { open: open.length, text: lines.join('\n').trimEnd() } }];
