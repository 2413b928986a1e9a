/**
 * Settings as the page of rules means them, and the parameters of the node that express them.
 * Nothing else here knows the names of parameters.
 */

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { shownParameters } from './n8n';
import type { Promised } from './promises';
import { earlierTree } from './settingsOfEarlierTree';

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
	name: string;
	value: number | string;
	/** After how many lists the person takes it back. */
	lists: number;
	/** How many closings it allows beside the limit. */
	closings: number;
}

/** How one state of the code names things, and what it promises. */
export interface Tree {
	name: string;
	/** The default limit for closing, in percent. */
	maxClosePercent: number;
	/** The limit never forbids fewer feeds. */
	alwaysCloses: number;
	/** The sentences of the page that do not hold in it. */
	breaks: readonly Promised[];
	sync(settings: Settings): INodeParameters;
	setAccess(settings: Settings): INodeParameters;
	itemOf(row: Row, settings: Settings): IDataObject;
	/** What the message of a limit tells a person to enter. */
	allowanceIn(message: string): Allowance | undefined;
}

const COMMON = {
	authentication: 'accessToken',
	resource: 'subscriber',
	email: '={{ $json.email }}',
	customerId: '={{ $json.customerId }}',
	status: '={{ $json.status }}',
};

const BY_STATUS = {
	...COMMON,
	access: 'byStatus',
	openFor: 'active',
	keepFor: 'past_due',
	closeFor: 'canceled',
};

/** The page of rules. */
const newTree: Tree = {
	name: 'the page of rules',
	maxClosePercent: 10,
	alwaysCloses: 5,
	breaks: [],
	sync: ({ prefix, neverClose, expected, isDry = false, allowed }) => ({
		...{ ...BY_STATUS, operation: 'sync', dryRun: isDry },
		...{ close: 'prefix', customerIdPrefix: prefix },
		options: {
			...(neverClose.length > 0 && { neverClose: neverClose.join(', ') }),
			...(expected !== undefined && {
				recordId: '={{ $json.recordId }}',
				recordsExpected: expected,
			}),
			...(allowed && { [allowed.name]: allowed.value }),
		},
	}),
	setAccess: ({ prefix }) => ({
		...{ ...BY_STATUS, operation: 'setAccess' },
		options: { customerIdPrefix: prefix },
	}),
	itemOf: (row) => ({ ...row }),
	allowanceIn: (message) => {
		const texts = [...message.matchAll(/\b(close|open) (\d+) until [-\d]+ [\d:]+ UTC/g)];
		const value = texts.map(([text]) => text).join(', ');
		const closings = texts.map(([, what, count]) => (what === 'close' ? Number(count) : 0));
		if (value === '') return undefined;
		// It allows only once, so nothing has to be taken back.
		return { name: 'allowOnce', value, lists: Infinity, closings: Math.max(...closings) };
	},
};

/** The tree in which this test runs. */
export const tree: Tree = shownParameters.includes('"allowOnce"')
	? newTree
	: earlierTree(COMMON, MEANING);
