import {
	column,
	emailIn,
	everyRow,
	listFile,
	membersOnly,
	state,
	statesIn,
	type MemberExport,
} from './lists';

/** Exports of membership systems and newsletters. People who have left are in them, too. */
export const systemExports: MemberExport[] = [
	{
		name: 'Substack',
		text: listFile(
			'email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at',
			(one) => `${one.email},${state('true', 'false')(one)},,monthly,false,2025-01-03T10:00:00Z,`,
		),
		outcome: 'right after reading',
		reading: {
			sync: {
				...statesIn('active_subscription', { openFor: 'true', closeFor: 'false' }),
				...emailIn('email'),
			},
		},
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
		reading: { sync: statesIn('tiers', { openFor: 'Gold', closeFor: '(empty)' }) },
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
			sync: {
				...statesIn('Patron Status', { openFor: 'Active patron', closeFor: 'Former patron' }),
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
		reading: { sync: statesIn('status', { openFor: 'active', closeFor: 'cancelled' }) },
	},
	{
		name: 'Beehiiv',
		text: listFile(
			'email,status,created_at,subscription_premium_tier_names,utm_source',
			(one) => `${one.email},${state('active', 'inactive')(one)},2025-01-03,Premium,`,
		),
		outcome: 'right after reading',
		reading: {
			sync: {
				...statesIn('status', { openFor: 'active', closeFor: 'inactive' }),
				...emailIn('email'),
			},
		},
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
			sync: {
				...statesIn('Status', { openFor: 'active, trialing', closeFor: 'canceled' }),
				email: column('Customer Email'),
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
			sync: {
				...statesIn('Status', { openFor: 'active', closeFor: '(empty)' }),
				email: column('Email'),
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
			sync: {
				...statesIn('Subscription Status', { openFor: 'alive', closeFor: 'cancelled' }),
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
		reading: {
			sync: {
				...statesIn('approval_status', { openFor: 'approved', closeFor: 'declined' }),
				...emailIn('email'),
			},
		},
	},
	{
		name: 'Memberful',
		text: listFile(
			'Full Name,Email,Plan,Active,Expiration Date,Stripe Customer ID',
			(one) => `${one.name},${one.email},Podcast,${state('Yes', 'No')(one)},,cus_${one.at}`,
		),
		outcome: 'right after reading',
		reading: {
			sync: { ...statesIn('Active', { openFor: 'Yes', closeFor: 'No' }), ...emailIn('Email') },
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
			sync: {
				...statesIn('state', { openFor: 'active', closeFor: 'not_renewed' }),
				...emailIn('email'),
			},
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
		reading: { sync: { ...everyRow, ...emailIn('Email Address') } },
	},
	{
		name: 'Buy Me a Coffee',
		text: listFile(
			'Name,Email,Membership Level,Status,Joined At',
			(one) => `${one.name},${one.email},Listener,${state('Active', 'Cancelled')(one)},2025-01-03`,
		),
		outcome: 'right after reading',
		reading: {
			sync: {
				...statesIn('Status', { openFor: 'Active', closeFor: 'Cancelled' }),
				...emailIn('Email'),
			},
		},
	},
];
