import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../nodes/Supercast/api/client';
import { Channel } from '../../nodes/Supercast/api/sharedChannel';
import { runtime } from '../../nodes/Supercast/api/clock';
import { describeFailure } from '../../nodes/Supercast/api/errors/errors';
import type { ApiRequest, ApiResponse } from '../../nodes/Supercast/api/types';

const PAGE = 100;

interface Person extends IDataObject {
	uuid: string;
	email: string;
	customer_id: string;
}

/** A channel in memory, whose clock stands still unless a test moves it. */
export class MemoryChannel {
	time = 0;

	readonly people = new Map<string, Person>();

	readonly shared = new Channel({
		...runtime,
		clock: { ...runtime.clock, now: () => this.time, date: () => this.time },
	});

	readonly index = this.shared.customerIds;

	readonly requests: ApiRequest[] = [];

	/** Runs before each page. */
	onPage: (page: number) => Promise<void> | void = () => undefined;

	/** Is added to the total, as if Supercast miscounted. */
	excess = 0;

	constructor(count = 0) {
		for (let number = 0; number < count; number++) this.add(`u${number}`, `c${number}`);
	}

	add(uuid: string, customerId: string): void {
		this.people.set(uuid, { uuid, email: `${uuid}@example.com`, customer_id: customerId });
	}

	/** The client of one execution. */
	client(): SupercastClient {
		return {
			channel: this.shared,
			request: async (request) => {
				this.requests.push(request);
				const response = await this.respond(request);
				this.shared.noteResponse(request, response.body);
				return response;
			},
		};
	}

	get pages(): number {
		return this.requests.filter(({ path }) => path.length === 1).length;
	}

	private async respond(request: ApiRequest): Promise<ApiResponse> {
		const [, name] = request.path;
		if (name !== undefined) return this.respondWithOne(request, name);
		const page = Number(request.query?.page);
		await this.onPage(page);
		const body = [...this.people.values()].slice((page - 1) * PAGE, page * PAGE);
		const total = String(this.people.size + this.excess);
		return { status: 200, headers: { 'x-per-page': String(PAGE), 'x-total': total }, body };
	}

	private respondWithOne(request: ApiRequest, name: string): ApiResponse {
		const person = this.people.get(name);
		if (person === undefined) {
			throw describeFailure({ kind: 'status', status: 404, body: {} }, request);
		}
		if (request.method === 'DELETE') this.people.delete(name);
		Object.assign(person, Object.values(request.body ?? {})[0]);
		return { status: 200, headers: {}, body: { ...person } };
	}
}
