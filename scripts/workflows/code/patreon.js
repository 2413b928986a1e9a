// Compares Patreon's current data about this patron with your tiers.
// Returns the input for one call of Set Access, or nothing.
const { headers, body } = $('Patreon Event').first().json;
const tiers = String($('Settings').first().json.tiers ?? '')
	.split(/[\s,]+/)
	.filter(Boolean);
const event = headers['x-patreon-event'] ?? '';
const answer = $('Ask Patreon').first().json;
const isGone = answer.statusCode === 404;
if (!isGone && answer.statusCode !== 200) {
	throw new Error(
		`Patreon did not return the member ${body.data.attributes.full_name} (status ${answer.statusCode})`,
	);
}

const { attributes = body.data.attributes, relationships = {} } = isGone ? {} : answer.body.data;
const status = attributes.patron_status;
const entitled = (relationships.currently_entitled_tiers?.data ?? []).map(({ id }) => id);
const cents = attributes.currently_entitled_amount_cents ?? 0;
const isEntitled =
	!isGone &&
	(tiers.length
		? tiers.some((id) => entitled.includes(id))
		: cents > 0 || attributes.is_gifted || attributes.is_free_trial);

let verdict = { access: 'close', reason: 'Patreon has no paid membership in your tiers' };
if (status === 'declined_patron') {
	const since = attributes.last_charge_date ?? '';
	verdict = { access: 'hold', since, reason: 'A payment was declined' };
} else if (isEntitled) verdict = { access: 'open', reason: '' };
// A free follower has no feed to close.
else if (event === 'members:create') return [];
// An update of a free follower looks like the end of a gift. So send no alert if there is no feed.
const quiet = status === null;

return [
	{
		json: {
			sender: 'Patreon',
			event,
			customerId: `patreon-${body.data.id}`,
			email: attributes.email ?? '',
			name: attributes.full_name ?? '',
			quiet,
			...verdict,
		},
	},
];
