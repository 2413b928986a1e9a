import { emailIn, listFile, membersOnly, state, statesIn, type MemberExport } from './lists';

/** Exports of membership systems and newsletters. People who have left are in them, too. */
export const systemExports: MemberExport[] = [
	{
		name: 'Substack',
		text: listFile(
			'email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at',
			(one) => `${one.email},${state('true', 'false')(one)},,monthly,false,2025-01-03T10:00:00Z,`,
		),
		outcome: 'right after reading',
		reading: { counts: statesIn('active_subscription', { true: 'open', false: 'close' }) },
	},
	{
		name: 'Ghost',
		text: listFile(
			'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers',
			(one) =>
				`65a1b2c3d4e5f6a7b8c9d0${one.at + 10},${one.email},${one.name},,true,,,2025-01-03,,,${state('Gold', '')(one)}`,
		),
		id: ({ at }) => `65a1b2c3d4e5f6a7b8c9d0${at + 10}`,
		outcome: 'right after reading',
		reading: { counts: statesIn('tiers', { Gold: 'open', '(empty)': 'close' }) },
	},
	{
		name: 'Patreon',
		text: listFile(
			'Name,Email,Discord,Patron Status,Follows You,Lifetime Amount,Pledge Amount,Charge Frequency,Tier,User ID,Last Charge Date',
			(one) =>
				`${one.name},${one.email},,${state('Active patron', 'Former patron')(one)},No,30.00,5.00,monthly,Listener,99${one.at},2026-10-01`,
		),
		outcome: 'right after reading',
		reading: {
			counts: {
				...statesIn('Patron Status', { 'Active patron': 'open', 'Former patron': 'close' }),
				...emailIn('Email'),
			},
		},
	},
	{
		name: 'Kit',
		text: listFile(
			'id,first_name,email,status,created_at',
			(one) => `88${one.at},Ann,${one.email},${state('active', 'cancelled')(one)},2025-01-03`,
		),
		id: ({ at }) => `88${at}`,
		outcome: 'right after reading',
		reading: { counts: statesIn('status', { active: 'open', cancelled: 'close' }) },
	},
	{
		name: 'Beehiiv',
		text: listFile(
			'email,status,created_at,subscription_premium_tier_names,utm_source',
			(one) => `${one.email},${state('active', 'inactive')(one)},2025-01-03,Premium,`,
		),
		outcome: 'right after reading',
		reading: { counts: statesIn('status', { active: 'open', inactive: 'close' }) },
	},
	{
		name: 'Stripe, subscriptions',
		text: listFile(
			'id,Customer ID,Customer Description,Customer Email,Plan,Product,Quantity,Status,Created (UTC),Canceled At (UTC)',
			(one) =>
				`sub_${one.at},cus_${one.at},,${one.email},price_1,prod_1,1,${state('active', 'canceled')(one)},2025-01-03 10:00,`,
		),
		outcome: 'right after reading',
		id: ({ at }) => `sub_${at}`,
		reading: {
			counts: {
				...statesIn('Status', { active: 'open', trialing: 'open', canceled: 'close' }),
				...emailIn('Customer Email'),
			},
		},
	},
	{
		name: 'Stripe, customers',
		text: listFile(
			'id,Description,Email,Name,Created (UTC),Delinquent,Status',
			(one) =>
				`cus_${one.at},,${one.email},${one.name},2025-01-03,false,${state('active', '')(one)}`,
		),
		outcome: 'right after reading',
		id: ({ at }) => `cus_${at}`,
		reading: {
			counts: {
				...statesIn('Status', { active: 'open', '(empty)': 'close' }),
				...emailIn('Email'),
			},
		},
	},
	{
		name: 'Gumroad',
		text: listFile(
			'Purchase ID,Item Name,Buyer Name,Purchase Email,Buyer Email,Purchase Date,Recurrence,Subscription Status',
			(one) =>
				`${one.at},Podcast,${one.name},${one.email},${one.email},2025-01-03,monthly,${state('alive', 'cancelled')(one)}`,
		),
		outcome: 'right after reading',
		reading: {
			counts: {
				...statesIn('Subscription Status', { alive: 'open', cancelled: 'close' }),
				...emailIn('Purchase Email'),
			},
		},
	},
	{
		name: 'Luma',
		text: listFile(
			'api_id,name,first_name,last_name,email,phone_number,created_at,approval_status',
			(one) =>
				`gst-${one.at},${one.name},Ann,Bell,${one.email},,2025-01-03,${state('approved', 'declined')(one)}`,
		),
		outcome: 'right after reading',
		reading: { counts: statesIn('approval_status', { approved: 'open', declined: 'close' }) },
	},
	{
		name: 'Memberful',
		text: listFile(
			'Full Name,Email,Plan,Active,Expiration Date,Stripe Customer ID',
			(one) => `${one.name},${one.email},Podcast,${state('Yes', 'No')(one)},,cus_${one.at}`,
		),
		outcome: 'right after reading',
		reading: {
			counts: { ...statesIn('Active', { Yes: 'open', No: 'close' }), ...emailIn('Email') },
		},
	},
	{
		name: 'Steady',
		text: listFile(
			'first-name;last-name;email;plan-name;state;started-at',
			(one) =>
				`${one.name.replace(' ', ';')};${one.email};Hörer;${state('active', 'not_renewed')(one)};2025-01-03`,
		),
		outcome: 'right after reading',
		reading: {
			counts: statesIn('state', { active: 'open', not_renewed: 'close' }),
			rows: { delimiter: ';' },
		},
	},
	{
		name: 'Mailchimp',
		text: listFile(
			'"Email Address","First Name","Last Name","MEMBER_RATING","OPTIN_TIME"',
			(one) => `"${one.email}","Ann","Bell","2","2025-01-03 10:00:00"`,
			membersOnly,
		),
		outcome: 'right after reading',
		reading: { counts: { everyRow: 'open', ...emailIn('Email Address') } },
	},
	{
		name: 'Buy Me a Coffee',
		text: listFile(
			'Name,Email,Membership Level,Status,Joined At',
			(one) => `${one.name},${one.email},Listener,${state('Active', 'Cancelled')(one)},2025-01-03`,
		),
		outcome: 'right after reading',
		reading: {
			counts: {
				...statesIn('Status', { Active: 'open', Cancelled: 'close' }),
				...emailIn('Email'),
			},
		},
	},
];
