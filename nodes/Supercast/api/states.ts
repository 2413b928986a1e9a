import { isOpenState, stateRow } from '../subscriber/states';
import { asRecord, textOf } from './json';

/** Whether a subscriber or feed shows the state that a feed was set to. */
export function isState(shown: unknown, sent: unknown): boolean {
	return shownState(shown) === shownState(sent);
}

/** Whether a state that is shown may be the one that a feed was set to, under another name. */
export function mayBeState(shown: unknown, sent: unknown): boolean {
	return isState(shown, sent) || stateRow(shownState(shown)) === undefined;
}

/** The subscriptions in a record of a person, such as to two shows. Their fields are inferred. */
export function subscriptionsOf({ subscriptions }: Record<string, unknown>): unknown[] {
	return Array.isArray(subscriptions) ? subscriptions : [];
}

/** Whether one of the subscriptions in a record is open, whatever the state of the record. */
export function hasOpenSubscription(record: Record<string, unknown>): boolean {
	return subscriptionStates(record).some(isOpenState);
}

/** Whether the record of a person or one of its subscriptions is open. */
export function isOpenRecord(record: Record<string, unknown>): boolean {
	return isOpenState(shownState(record.state)) || hasOpenSubscription(record);
}

/** The first state of a subscription that is none of the states in the table. Undefined if all are. */
export function unknownSubscription(record: Record<string, unknown>): string | undefined {
	return subscriptionStates(record).find((state) => stateRow(state) === undefined);
}

/**
 * The first state of a subscription that is not open, as far as the node knows. Undefined if all
 * subscriptions are, or if none has a state.
 */
export function subscriptionNotOpen(record: Record<string, unknown>): string | undefined {
	return subscriptionStates(record).find((state) => !isOpenState(state));
}

function subscriptionStates(record: Record<string, unknown>): string[] {
	const states = subscriptionsOf(record).map((one) => shownState(asRecord(one).state));
	return states.filter((state) => state !== '');
}

/** A state as Supercast shows it: `deactivated` for `inactive` (the vendor's Ruby client). */
export function shownState(state: unknown): string {
	return state === 'inactive' ? 'deactivated' : textOf(state);
}
