/** A channel whose Sync and Set Access run through the node's public door. */

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Answer, type Request, SimulatedSupercast } from '../../doubles/supercast';
import { QuickNode, restartProcess, type QuickRun, type Start } from '../../support/quickNode';
import type { VirtualClock } from '../../support/virtualClock';

export const SYNC: INodeParameters = {
	...{ authentication: 'accessToken', resource: 'subscriber', operation: 'sync', dryRun: false },
	...{ access: '={{ $json.access }}', email: '={{ $json.email }}', customerId: '={{ $json.id }}' },
	...{ status: '={{ $json.status }}', close: 'all', customerIdPrefix: '', maxClosePercent: 100 },
	additionalFields: { firstName: '={{ $json.name }}' },
	options: { closeAfter: 1 },
};

export const SET_ACCESS: INodeParameters = { ...SYNC, operation: 'setAccess', options: {} };

/** The record of the person with this number. */
export function row(number: number | string, fields: IDataObject = {}): IDataObject {
	const id = `c-${number}`;
	return {
		access: 'open',
		email: `m${number}@example.com`,
		id,
		status: 'active',
		name: '',
		...fields,
	};
}

export class TestChannel {
	readonly service: SimulatedSupercast;

	readonly node: QuickNode;

	private readonly accessNode: QuickNode;

	constructor(
		readonly clock: VirtualClock,
		feeds: Array<number | [number, IDataObject]>,
	) {
		restartProcess();
		this.service = new SimulatedSupercast(clock);
		this.service.perPage = 100;
		this.node = new QuickNode(this.service, clock, 'sync');
		this.accessNode = new QuickNode(this.service, clock, 'access');
		for (const one of feeds) {
			if (Array.isArray(one)) this.add(...one);
			else this.add(one);
		}
	}

	add(number: number, fields: IDataObject = {}): void {
		const names = {
			uuid: `u-${number}`,
			email: `m${number}@example.com`,
			customer_id: `c-${number}`,
		};
		this.service.add({ ...names, first_name: 'Ann', ...fields });
	}

	async sync(
		items: IDataObject[],
		{ options, ...parameters }: INodeParameters = {},
		start: Partial<Start> = {},
	): Promise<QuickRun> {
		const all = { ...(SYNC.options as INodeParameters), ...(options as INodeParameters) };
		return await this.node.run({
			parameters: { ...SYNC, ...parameters, options: all },
			items,
			...start,
		});
	}

	async setAccess(
		item: IDataObject,
		options: INodeParameters = {},
		start: Partial<Start> = {},
	): Promise<QuickRun> {
		const parameters = { ...SET_ACCESS, options };
		return await this.accessNode.run({ parameters, items: [item], ...start });
	}

	/** The subscriber with this number. */
	one(number: number): IDataObject {
		return this.service.find(`u-${number}`) ?? {};
	}

	state(number: number): unknown {
		return this.one(number).state;
	}

	/** The changes that Supercast received. */
	get changes(): string[] {
		return this.service.changes;
	}

	/** Answers some requests differently. Everything else is as usual. */
	answer(habit: (request: Request, name: string) => Answer | undefined): void {
		this.service.habit = (request) => habit(request, `${request.method} ${request.path.join('/')}`);
	}

	/** Something happens when a request comes for the first time, before it is answered. */
	when(name: string, happens: () => void): void {
		let hasCome = false;
		this.answer((_, one) => {
			if (one !== name || hasCome) return undefined;
			hasCome = true;
			happens();
			return undefined;
		});
	}
}
