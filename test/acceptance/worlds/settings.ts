/**
 * Settings as the page of rules means them, and the parameters of the node that express them.
 * Nothing else here knows the names of parameters.
 */

import type { INodeParameters } from 'n8n-workflow';

/** A record of the membership system, as the workflow passes it on. */
export interface Row {
	recordId: string;
	customerId: string;
	email: string;
	status: string;
}

/** What each status of these membership systems means. */
export const MEANING: Readonly<Record<string, 'close' | 'keep' | 'open'>> = {
	active: 'open',
	past_due: 'keep',
	canceled: 'close',
};

export interface Settings {
	/** What this Sync's customer IDs begin with. */
	prefix: string;
	neverClose: readonly string[];
	/** How many records the membership system says it has. Undefined if nobody has set this. */
	expected?: number | '';
	isDry?: boolean;
	/** What a person entered because of a message. */
	allowed?: Allowance;
}

/** What a message told a person to enter. */
export interface Allowance {
	text: string;
	/** How many closings it allows beside the limit. */
	closings: number;
}

/** The default limit for closing, in percent, and how many feeds it always lets close. */
export const MAX_CLOSE_PERCENT = 10;
export const ALWAYS_CLOSES = 5;

const COMMON = {
	authentication: 'accessToken',
	resource: 'subscriber',
	email: '={{ $json.email }}',
	customerId: '={{ $json.customerId }}',
	status: '={{ $json.status }}',
	access: 'byStatus',
	openFor: 'active',
	keepFor: 'past_due',
	closeFor: 'canceled',
};

export function parametersOfSync(settings: Settings): INodeParameters {
	const { prefix, neverClose, expected, isDry = false, allowed } = settings;
	return {
		...{ ...COMMON, operation: 'sync', dryRun: isDry },
		...{ close: 'prefix', customerIdPrefix: prefix },
		options: {
			...(neverClose.length > 0 && { neverClose: neverClose.join(', ') }),
			...(expected !== undefined && {
				recordId: '={{ $json.recordId }}',
				recordsExpected: expected,
			}),
			...(allowed && { allowOnce: allowed.text }),
		},
	};
}

export function parametersOfSetAccess({ prefix }: Settings): INodeParameters {
	return { ...COMMON, operation: 'setAccess', options: { customerIdPrefix: prefix } };
}

/** What the message of a limit tells a person to enter. */
export function allowanceIn(message: string): Allowance | undefined {
	const texts = [...message.matchAll(/\b(close|open) (\d+) until [-\d]+ [\d:]+ UTC/g)];
	if (texts.length === 0) return undefined;
	const closings = texts.map(([, what, count]) => (what === 'close' ? Number(count) : 0));
	return { text: texts.map(([text]) => text).join(', '), closings: Math.max(...closings) };
}
