/**
 * A simulated Supercast that disagrees with the sandbox, and a network that breaks. It is for
 * properties over thousands of schedules.
 */

import type { IDataObject } from 'n8n-workflow';

import { isSameIdentifier } from '../../nodes/Supercast/api/identity';
import type { VirtualClock } from '../support/virtualClock';
import { HelperSupercast, networkError } from './helperSupercast';
import type { Answer, Request, SimulatedSupercast } from './supercast';

/** What happens to one request. `processed`: whether the change is made anyway. */
export type Quirk =
	| { kind: 'none' }
	/** The connection breaks, or was never made. */
	| { kind: 'network'; code: string; processed: boolean }
	/** A gateway's response. With `lateMs`, the change is made that much later. */
	| { kind: 'gateway'; status: number; isPage: boolean; processed: boolean; lateMs?: number }
	/** A success status, with another body than requested. */
	| { kind: 'odd'; body: unknown; processed: boolean }
	/** The right response, wrapped in this name. */
	| { kind: 'wrapped'; name: string }
	/** 429, not processed. */
	| { kind: 'refused' }
	/** Someone else creates the subscriber just before. */
	| { kind: 'stranger' };

/** Undocumented behavior of Supercast. */
export type Habits = Pick<
	SimulatedSupercast,
	'honoursKeys' | 'onExistingEmail' | 'visibleMs' | 'changesShow'
>;

const PAGE = '<!DOCTYPE html><html><body>Not here</body></html>';

/** The simulated Supercast. Its requests meet the quirks one after the other. */
export class QuirkySupercast extends HelperSupercast {
	/** The node then reads every new subscriber, in search of the address. */
	override showsFeeds = false;

	constructor(
		clock: VirtualClock,
		private readonly quirks: Quirk[],
		habits: Habits,
	) {
		super(clock);
		Object.assign(this, habits);
	}

	/** The subscribers with an email, in any case. */
	withEmail(email: string): IDataObject[] {
		return this.subscribers.filter((one) => isSameIdentifier(one.email, email));
	}

	protected respond(request: Request): Answer {
		const quirk = this.quirks.shift() ?? { kind: 'none' };
		this.makeAnyway(quirk, request);
		switch (quirk.kind) {
			case 'none':
				return this.process(request);
			case 'network':
				throw networkError(quirk.code);
			case 'gateway':
				return { status: quirk.status, body: quirk.isPage ? PAGE : { message: 'No gateway' } };
			case 'odd':
				return { status: 200, body: quirk.body };
			case 'wrapped':
				return wrapped(this.process(request), quirk.name);
			case 'refused':
				return { status: 429, body: { message: 'Too many requests' } };
			case 'stranger':
				this.letStrangerIn(request);
				return this.process(request);
		}
	}

	private makeAnyway(quirk: Quirk, request: Request): void {
		if ('lateMs' in quirk && quirk.lateMs !== undefined) {
			void this.clock.sleep(quirk.lateMs).then(() => this.process(request));
		} else if ('processed' in quirk && quirk.processed) this.process(request);
	}

	private letStrangerIn({ path: [, name], fields }: Request): void {
		const email = name ?? (fields.email as string | undefined);
		if (email === undefined || this.withEmail(email).length > 0) return;
		this.add({ email, first_name: 'Somebody else', made_by: 'stranger' });
	}
}

function wrapped({ status, body }: Answer, name: string): Answer {
	return { status, body: status < 300 && typeof body === 'object' ? { [name]: body } : body };
}
