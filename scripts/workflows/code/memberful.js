// Compares Memberful's current data about this member with your plans.
// Returns the input for one call of Set Access, or nothing.
const {
	event,
	subscription,
	member: told = subscription?.member ?? {},
} = $('Memberful Event').first().json.body;
const plans = String($('Settings').first().json.plans ?? '')
	.split(/[\s,]+/)
	.filter(Boolean);
const { data, errors } = $('Ask Memberful').first().json;
const member = data?.member;
if (!member && event !== 'member.deleted') {
	throw new Error(
		`Memberful did not return ${told.email ?? `member ${told.id}`}: ${errors?.[0]?.message ?? 'no reason given'}`,
	);
}

const isOurs = ({ plan }) => !plans.length || plans.includes(String(plan?.id));
const toldPlan = subscription?.subscription_plan;
const active = (member?.subscriptions ?? []).filter((one) => one.active && isOurs(one));
const isRelevant =
	!subscription || isOurs({ plan: toldPlan }) || Boolean(subscription.changed?.plan_id);
if (!isRelevant) return [];
// A changed profile has no effect if the person was never a member.
if (
	event.startsWith('member_') &&
	!(member.subscriptions ?? []).some(isOurs) &&
	!told.unrestricted_access
)
	return [];

let verdict = { access: 'close', reason: 'Memberful has no active subscription to your plans' };
if (active.length) verdict = { access: 'open', reason: '' };
else if (member && told.unrestricted_access)
	verdict = { access: 'open', reason: 'Unrestricted access' };
return [
	{
		json: {
			sender: 'Memberful',
			event,
			customerId: `memberful-${told.id}`,
			email: member?.email ?? told.email ?? '',
			name: member?.fullName ?? told.full_name ?? '',
			...verdict,
		},
	},
];
