import type { TriggerEvent } from '../../../nodes/Supercast/trigger/events';
import type { Habits, ID_FORMS } from '../../doubles/simulatedList';

/** What can happen, in any order. Shares are from 0 to 1. */
export type Step =
	| Edit
	| { kind: 'habits'; habits: Habits }
	| { kind: 'wait'; ms: number }
	| PollStep
	| { kind: 'restart'; afterMs: number }
	| { kind: 'access'; credential: string; channel: number }
	/** The same credential shows another channel, or the first one again. */
	| { kind: 'swap'; channel: number }
	/** From now on, n8n's clock is ahead by this time, or behind if it is negative. */
	| { kind: 'clock'; aheadMs: number };

/** A change of the list. */
export type Edit =
	| { kind: 'create'; count: number; backMs: number; state: string; outInMs?: number }
	| { kind: 'remove'; share: number }
	| { kind: 'state'; share: number; state: string }
	| { kind: 'publish'; share: number; outInMs: number };

/** A poll, and what happens during it. */
export interface PollStep {
	kind: 'poll';
	/** Changes right before the response to a request. */
	during: Array<{ request: number; edit: Edit }>;
	/** The request that fails. */
	failAt?: number;
	/** The request before which the time is over. */
	timeUpAt?: number;
	/** Look-ups of missing records fail, or Supercast still returns records that are gone. */
	lookUps?: 'fail' | 'stale';
	/**
	 * How a poll with news ends. It ends well, or n8n drops the result because the workflow was
	 * published again. Or n8n crashes before it saved the state (the execution exists), or between
	 * the state and the execution.
	 */
	end: 'saved' | 'dropped' | 'crash before save' | 'crash before execution';
}

export interface Setup {
	event: TriggerEvent;
	habits: Habits;
	ids: (typeof ID_FORMS)[number];
	existing: number;
	includeExisting: boolean;
	/**
	 * What a poll starts from: the data in memory, what n8n has saved (its durable scheduler), or a
	 * cursor that n8n saves with every poll (its durable cursors).
	 */
	memory: 'process' | 'durable' | 'cursors';
	/** How many triggers with this event the workflow has. They poll at the same time. */
	triggers: number;
	states: string[];
	most: number;
}

/** Something that reached an execution. */
export interface Announcement {
	id: string;
	eventId: string;
	updatedAt?: string;
	before?: string;
	state?: string;
	/** Whether the record shows that its time had not come yet. */
	isEarly?: boolean;
}
