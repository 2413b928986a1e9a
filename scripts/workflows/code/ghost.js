// Compares Ghost's current data about this member with your tiers.
// Returns the input for one call of Set Access, or nothing.
const { current = {}, previous = {} } = $('Ghost Event').first().json.body.member;
const told = current.id ? current : previous;
const tiers = String($('Settings').first().json.tiers ?? '')
	.split(/[\s,]+/)
	.filter(Boolean);
const answer = $('Ask Ghost').first().json;
const isGone = answer.statusCode === 404;
if (!isGone && answer.statusCode !== 200) {
	throw new Error(`Ghost did not return the member ${told.email} (status ${answer.statusCode})`);
}

const member = isGone ? undefined : answer.body.members[0];
const isOurs = (tier) => !tiers.length || tiers.includes(tier?.id) || tiers.includes(tier?.slug);
const subscriptions = (member?.subscriptions ?? []).filter(({ tier }) => isOurs(tier));
const given = (member?.tiers ?? []).some(isOurs) && member.status === 'comped';
const paying = subscriptions.some(({ status }) => ['active', 'trialing'].includes(status));
const late = subscriptions.find(({ status }) => ['past_due', 'unpaid'].includes(status));
// A free member who was free before. Nothing changes for them.
const wasPaid = [current.status, previous.status].some((one) => one && one !== 'free');
if (!wasPaid && !paying && !given && !late && !subscriptions.length) return [];

let verdict = { access: 'close', reason: 'Ghost has no paid subscription to your tiers' };
if (paying || given) verdict = { access: 'open', reason: given ? 'Complimentary' : '' };
else if (late) {
	verdict = { access: 'hold', since: late.current_period_start ?? '', reason: 'A payment failed' };
}
return [
	{
		json: {
			sender: 'Ghost',
			event: member ? 'member.edited' : 'member.deleted',
			customerId: `ghost-${told.id}`,
			email: member?.email ?? told.email ?? '',
			name: member?.name ?? told.name ?? '',
			...verdict,
		},
	},
];
