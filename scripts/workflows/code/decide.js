// Decides which steps give this person the access that the membership system asks for.
const call = $('When Called').first().json;
const settings = $('Settings').first().json;
const text = (value) => String(value ?? '').trim();
const [sender, event, email, customerId, name] = [
	call.sender,
	call.event,
	call.email,
	call.customerId,
	call.name,
].map(text);
const who = `${name || email || customerId} (${[email, customerId].filter(Boolean).join(', ')})`;
const said = `${sender || 'The membership system'} sent "${event || call.access}"`;

if (!['open', 'hold', 'close'].includes(call.access)) {
	throw new Error(`'access' must be open, hold or close, not "${text(call.access)}": ${who}`);
}
if (!email && !customerId) throw new Error(`${said}, without an email or a customer ID`);

// The result of the last search: a subscriber, or the reason why there is none.
const answer = $input.first().json;
const person = answer.uuid || (answer.email !== undefined && answer.state) ? answer : undefined;
if (!person) {
	const isMissing = (reason) => text(reason).startsWith('Supercast has no subscriber');
	const reasonOf = (json) => text(json?.error?.message ?? json?.error);
	const byEmail = reasonOf($('Find by Email').all(1)[0]?.json);
	const byId = reasonOf(answer);
	const reason = [email && byEmail, customerId && byId].find((one) => one && !isMissing(one));
	if (reason) throw new Error(`${said} for ${who}, but nothing was done: ${reason}`);
}

const steps = [];
let done = 'nothing';
let why = '';
const finish = (what, reason) => {
	done = what;
	why = reason;
};
const tell = (what, reason, advice) => {
	const subject = `${name || email || customerId}: ${what}`;
	const body = [`${said} for ${who}.`, `${reason}.`, advice].join('\n\n');
	steps.push({ step: 'mail', to: settings.tellWhom, subject, text: body });
	finish('told a person', reason);
};

const now = Date.now();
const stated = Date.parse(text(call.since));
const since = Number.isNaN(stated) ? now : Math.min(stated, now);
const graceIsOver = now - since >= Number(settings.graceDays) * 24 * 60 * 60 * 1000;
const { state } = person ?? {};
const isOpen = state === 'available';
const hasPlan = text(person?.plan_id) !== '';
const theirId = text(person?.customer_id);
const billedBySupercast = hasPlan && theirId === '';
const isSomebodyElses = theirId !== '' && customerId !== '' && theirId !== customerId;
const open = (what, reason) => {
	const [firstName = '', ...rest] = name.split(/\s+/);
	steps.push({
		step: 'open',
		email: email || person.email,
		customerId,
		firstName,
		lastName: rest.join(' '),
	});
	finish(what, reason);
};

if (call.access === 'open' && !person) {
	if (email) open('created', 'There was no subscriber with this email or customer ID');
	else
		tell(
			'pays, but has no feed',
			'There is no subscriber with this customer ID, and the membership system sent no email',
			'Add them in Supercast.',
		);
} else if (billedBySupercast) {
	if (call.access === 'open' && !isOpen) {
		tell(
			'pays twice, but the feed is closed',
			`Supercast bills this person, and their state is "${state}"`,
			'Check the payment in Supercast, and decide which membership should continue.',
		);
	} else
		finish('nothing', 'Supercast bills this person, so only Supercast opens and closes the feed');
} else if (call.access === 'open') {
	const newEmail = email !== '' && email.toLowerCase() !== text(person.email).toLowerCase();
	const newId = customerId !== '' && theirId !== customerId;
	if (newEmail || newId) {
		steps.push({
			step: 'update',
			uuid: person.uuid,
			email: email || person.email,
			customerId: customerId || theirId,
		});
		finish(
			'updated',
			newEmail ? `The email was ${person.email}` : `The customer ID was ${theirId || 'empty'}`,
		);
	}
	if (state === 'deactivated') open('reopened', 'The feed was deactivated');
	else if (!isOpen) {
		tell(
			'pays, but the feed is closed',
			`The state in Supercast is "${state}"`,
			state === 'suspended'
				? 'A person or Supercast suspended this feed, for example because it was shared. Once the reason is resolved, choose Activate in Supercast.'
				: 'Check this subscriber in Supercast.',
		);
	} else if (!steps.length) finish('nothing', 'The feed is open');
} else if (!person) {
	if (call.access === 'close' && !call.quiet) {
		tell(
			'no feed to close',
			'There is no subscriber with this email or customer ID',
			'If this person never had a feed, you can ignore this email. If they listen under another email, deactivate that subscriber in Supercast.',
		);
	} else finish('nothing', 'There is no subscriber with this email or customer ID');
} else if (isSomebodyElses) {
	const reason = `The subscriber has another customer ID, ${theirId}, so another membership may pay for the feed`;
	if (call.access === 'close' && isOpen) {
		tell(
			'a membership ended, but the feed stays open',
			reason,
			'If nothing else pays for it, deactivate this subscriber in Supercast.',
		);
	} else finish('nothing', reason);
} else if (!isOpen && state !== 'charge_failure') {
	finish('nothing', `The state in Supercast is "${state}"`);
} else if (call.access === 'hold' && !graceIsOver) {
	finish('waiting', `The feed stays open for a grace period of ${settings.graceDays} days`);
} else {
	steps.push({ step: 'close', email: person.email });
	finish(
		'closed',
		call.access === 'hold'
			? `The grace period of ${settings.graceDays} days is over`
			: 'The membership has ended',
	);
}

const log = {
	step: 'log',
	sender,
	event,
	access: call.access,
	email: email || text(person?.email),
	name,
	customerId,
	done,
	why: [why, text(call.reason)].filter(Boolean).join('. '),
	since: call.access === 'hold' ? new Date(since).toISOString() : '',
};
return [...steps, log].map((json) => ({ json }));
