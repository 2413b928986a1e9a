import { gracePeriod, onError, setAccess } from './access';
import { anySystem, ghost, memberful, patreon, stripe, wooCommerce } from './adapters';
import type { Plan } from './parts';

/** Every workflow that is made here. */
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
];
