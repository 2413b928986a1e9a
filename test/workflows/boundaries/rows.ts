import type { Items } from './evaluate';
import type { Check } from './checks';

/** Where a value comes from. */
type Source =
	'Supercast' | 'a form' | 'a model' | 'n8n' | 'another node' | 'a failure' | 'a service';

/** An expression, as a boundary. */
export interface Boundary {
	from: Source;
	/** The fields that can be anything, each by its node (`$json` is the input) and its name. */
	reads: string[];
	/** What the expression gives then, whatever the fields are. */
	gives: Check;
	/** What else the expression reads. */
	with?: Items;
}

/** A row of the table. */
export const row = (from: Source, reads: string[], gives: Check, more?: Items): Boundary => ({
	from,
	reads,
	gives,
	...(more && { with: more }),
});

/** A subscriber as Get shows one. */
export const ann = {
	uuid: '5f1c',
	email: 'ann@example.com',
	state: 'available',
	first_name: 'Ann',
	last_name: 'Bell',
	plan_name: 'Gold',
	customer_id: 'cus_1',
	created_at: '2026-03-02T10:00:00Z',
	feed_urls: ['https://feeds.example.com/a'],
};
/** What a node gives through its error output. */
export const error = { error: 'No such user here' };
/** What the nodes before have returned, unless a row says otherwise. */
export const BASE: Items = {
	$json: [
		{
			...{ ...ann, ...error, Email: ann.email, eventId: 'e1', kind: 'Welcome', tries: 1 },
			...{ change: 'left', subject: 'Your feed', text: 'Hello', letter: 'Hello', reason: 'No' },
			...{ access: 'open', isOpen: true, updated_at: ann.created_at, address: 'https://a' },
		},
	],
	'Get Subscriber': [ann],
	'Look Again': [ann],
	'One Person': [{ ...ann, eventId: 'e1', kind: 'Welcome', tries: 1 }],
	'One at a Time': [{ ...ann, eventId: 'e1', kind: 'Welcome' }],
	'One Alert': [{ id: 7, message: 'Shared', subscriber: { email: ann.email, uuid: ann.uuid } }],
	'Page for Support': [{ Email: ann.email }],
	'Page With One Field': [{ Email: ann.email }],
	'Nor in the Next': [ann],
};

/** What else decides about a value. */
export const given = {
	/** The workflow has tried so often that it gives up. */
	lastTry: { $runIndex: [{ value: 200 }] },
};

export const NAMES = ['first_name', 'last_name'];
/** Fields of the input. */
export const own = (...names: string[]): string[] => names.map((name) => `$json.${name}`);
/** Fields of what another node has returned. */
export const of = (node: string, ...names: string[]): string[] =>
	names.map((name) => `${node}.${name}`);
/** A failure, as the input. */
export const said = own('error');
