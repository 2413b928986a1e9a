import { gracePeriod, onError } from './care';
import type { Plan } from './parts';
import { anySystem } from './senders/anySystem';
import { ghost } from './senders/ghost';
import { memberful } from './senders/memberful';
import { patreon } from './senders/patreon';
import { stripe } from './senders/stripe';
import { wooCommerce } from './senders/woocommerce';
import { setAccess } from './setAccess';
import { joinedOrLeft, paymentFailed, questions } from './supercastEvents';
import { vips, weeklyReport, winBack } from './regular';
import { usageAlerts } from './usageAlerts';

/** Every workflow that the build generates. */
export const plans: Plan[] = [
	setAccess,
	onError,
	gracePeriod,
	stripe,
	memberful,
	patreon,
	ghost,
	wooCommerce,
	anySystem,
	joinedOrLeft,
	paymentFailed,
	questions,
	weeklyReport,
	winBack,
	vips,
	usageAlerts,
];
