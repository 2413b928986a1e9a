import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { STATES, SUBSCRIBER_STATES } from '../../nodes/Supercast/subscriber/states';
import type { Subscriber } from '../../simulators/supercast';

const BILLED = { plan_id: 1, plan_name: 'Monthly' };

/** The states that are neither open nor closed by a membership, so that they stay as they are. */
const SKIPPED_STATES = SUBSCRIBER_STATES.filter((state) => STATES[state].member === 'skip');

/** One row of the table: who asks for what, who is there, and what happens. */
export interface AccessCase {
	/** Fields of the subscriber. Undefined if there is none. */
	there?: Partial<Subscriber>;
	/** Fields of a second subscriber. */
	second?: Partial<Subscriber>;
	item: IDataObject;
	options?: INodeParameters;
	action: string;
	/** The state afterwards. Undefined if there is nobody. */
	state?: string;
	/** Whether a person must decide something. */
	needsPerson?: boolean;
	changes?: IDataObject;
}

export const NEW = 'ann@example.com';
/** Stands for the email of the first subscriber, or of someone new. */
export const THEIRS = 'theirs';
const there = { customer_id: 'c-1', first_name: 'Ann' };
const open = { access: 'open', email: THEIRS, id: 'c-1', name: 'Ann' };
const close = { access: 'close', email: THEIRS, id: 'c-1' };
const kept = { action: 'kept' };

export const TABLE: Record<string, AccessCase> = {
	'open: nobody, with an email': {
		item: open,
		action: 'created',
		state: 'available',
		changes: {
			email: { from: null, to: NEW },
			customer_id: { from: null, to: 'c-1' },
		},
	},
	'open: nobody, only a customer ID': {
		item: { ...open, email: '' },
		...kept,
		needsPerson: true,
	},
	'open: available': { there, item: open, action: 'unchanged', state: 'available' },
	'open: available, in capitals and spaces': {
		there,
		item: { ...open, email: 'CAPITALS' },
		action: 'unchanged',
		state: 'available',
	},
	'open: available, with another email': {
		there,
		item: { ...open, email: NEW },
		action: 'updated',
		state: 'available',
		changes: { email: { from: expect.stringContaining('@'), to: NEW } },
	},
	'open: available, with another customer ID': {
		there: { ...there, customer_id: 'c-old' },
		item: open,
		action: 'updated',
		state: 'available',
		changes: { customer_id: { from: 'c-old', to: 'c-1' } },
	},
	'open: available, with another name': {
		there: { ...there, first_name: 'Anna' },
		item: open,
		action: 'unchanged',
		state: 'available',
	},
	'open: available, billed by Supercast': {
		there: { ...there, ...BILLED, customer_id: null },
		item: open,
		...kept,
		state: 'available',
	},
	'open: deactivated': {
		there: { ...there, state: 'deactivated' },
		item: open,
		action: 'reopened',
		state: 'available',
		changes: { state: { from: 'deactivated', to: 'available' } },
	},
	'open: deactivated, with another name and customer ID': {
		there: { ...there, state: 'deactivated', first_name: 'Anna', customer_id: 'c-old' },
		item: open,
		action: 'reopened',
		state: 'available',
		changes: {
			state: { from: 'deactivated', to: 'available' },
			first_name: { from: 'Anna', to: 'Ann' },
			customer_id: { from: 'c-old', to: 'c-1' },
		},
	},
	'open: deactivated, billed by Supercast': {
		there: { ...there, ...BILLED, customer_id: null, state: 'deactivated' },
		item: open,
		...kept,
		state: 'deactivated',
		needsPerson: true,
	},
	...Object.fromEntries(
		[...SKIPPED_STATES, 'mystery'].map((state): [string, AccessCase] => [
			`open: ${state}`,
			{
				there: { ...there, state: state as never },
				item: open,
				...kept,
				state,
				needsPerson: true,
			},
		]),
	),
	'open: the customer ID belongs to another subscriber': {
		there: { ...there, customer_id: null },
		second: { customer_id: 'c-1' },
		item: open,
		...kept,
		state: 'available',
		needsPerson: true,
	},
	'close: available': {
		there,
		item: close,
		action: 'closed',
		state: 'deactivated',
		changes: { state: { from: 'available', to: 'deactivated' } },
	},
	'close: available, by email only': {
		there,
		item: { ...close, id: '' },
		action: 'closed',
		state: 'deactivated',
	},
	'close: available, by customer ID only': {
		there,
		item: { ...close, email: '' },
		action: 'closed',
		state: 'deactivated',
	},
	'close: available, without a customer ID': {
		there: { ...there, customer_id: null },
		item: close,
		action: 'closed',
		state: 'deactivated',
	},
	'close: available, with another email': {
		there,
		item: { ...close, email: NEW },
		action: 'closed',
		state: 'deactivated',
	},
	'close: with a plan at Supercast': {
		there: { ...there, ...BILLED },
		item: close,
		...kept,
		state: 'available',
		needsPerson: true,
	},
	'close: with a plan at Supercast, and Close Despite Plan': {
		there: { ...there, ...BILLED },
		item: close,
		options: { closeWithPlan: true },
		action: 'closed',
		state: 'deactivated',
	},
	'close: another customer ID': {
		there: { ...there, customer_id: 'c-2' },
		item: close,
		...kept,
		state: 'available',
		needsPerson: true,
	},
	'close: email and ID lead to two people': {
		there: { ...there, customer_id: null },
		second: { customer_id: 'c-1' },
		item: close,
		...kept,
		state: 'available',
		needsPerson: true,
	},
	'close: the ID leads to two people': {
		there,
		second: { customer_id: 'c-1' },
		item: { ...close, email: '' },
		...kept,
		state: 'available',
		needsPerson: true,
	},
	'close: nobody': { item: close, ...kept, needsPerson: true },
	'close: nobody, only an email': {
		item: { ...close, id: '' },
		...kept,
		needsPerson: true,
	},
	'close: deactivated': {
		there: { ...there, state: 'deactivated' },
		item: close,
		action: 'unchanged',
		state: 'deactivated',
	},
	...Object.fromEntries(
		[...SKIPPED_STATES, 'mystery'].map((state): [string, AccessCase] => [
			`close: ${state}`,
			{
				there: { ...there, state: state as never },
				item: close,
				...kept,
				state,
				needsPerson: true,
			},
		]),
	),
};
