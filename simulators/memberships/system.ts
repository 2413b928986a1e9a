import type { FastifyInstance } from 'fastify';

import type { Left, PageFault, PageFaultKind } from './pageFaults';
import type { MockAnswer, PageRequest } from './requests';

/** A server that simulates a membership system. */
export interface MockServer {
	/** Faults that tests inject into the pages of its list. */
	readonly pageFaults: PageFault[];
	/** Adds its routes to its own part of the server that all systems share. */
	routes(app: FastifyInstance): void;
}

/**
 * All that tests and the demo know about a membership system. Each folder here exports one, and
 * `index.ts` lists them.
 */
export interface MembershipSystem<Server extends MockServer = MockServer> {
	/** Its heading in `workflows/statuses.md`. */
	title: string;
	/** Its file in `workflows/`. */
	file: string;
	/** The host that its file names. Without it, the host is the customer's own. */
	host?: string;
	create(): Server;
	/** Its credential in n8n, with the address of the mock server. A public list needs none. */
	credential?(server: Server, address: string): SystemCredential;
	members: MemberFacts<Server>;
	list: MemberListFacts<Server>;
	workflow: WorkflowFacts;
}

/** The type of a credential, and its fields. */
export interface SystemCredential {
	type: string;
	data: Record<string, unknown>;
}

/** How tests add members. */
export interface MemberFacts<Server> {
	of(server: Server): Members;
	/** The customer ID in Supercast of someone who has joined. */
	customerId(member: { id: string }): string;
	/** The status of someone who left. Stripe's subscriptions end instead, which has its own tests. */
	left?: string;
	/** Changes a member's status. An empty text is none. Only for systems that have statuses. */
	setStatus?(server: Server, member: { id: string }, status: string): void;
}

/** Changes the status of someone on a mock server whose members have one. */
export function setStatusIn({
	people,
}: {
	people: { all: Array<{ id: string; status: string }> };
}) {
	return ({ id }: { id: string }, status: string): void => {
		const member = people.all.find((one) => one.id === id);
		if (member !== undefined) member.status = status;
	};
}

/** The members of a mock server. */
export interface Members {
	all: unknown[];
	join(email: string, name?: string): { id: string };
}

/** How the list of members is read, page by page. */
export interface MemberListFacts<Server> {
	/** What the path of each request for it begins with. */
	path: string;
	/** The request for a page with so many records, given the body of the page before. */
	request(server: Server, asked: AskedPage): PageRequest;
	/** The records of a response, or undefined if it has none. */
	records(answer: MockAnswer): unknown[] | undefined;
	email(record: unknown): unknown;
	/** Whether another page follows one with so many records. */
	goesOn(answer: MockAnswer, size: number): boolean;
	/** How many records the system says that the list has. */
	total?(answer: MockAnswer): number | null | undefined;
	/** An empty list, as the system sends it. */
	empty: unknown;
	/** Whether it is one file, so that it has no second page. */
	isOnePage?: true;
	/** Where someone who believes every page ends up elsewhere than `PAGE_FAULTS` says, and why. */
	leaves?: Partial<Record<PageFaultKind, Left | 'refused'>>;
	/** Faults that nothing in this list can show. */
	unknowable?: PageFaultKind[];
}

/** What to ask for: the page's number from 1, its size, and the body of the page before it. */
export interface AskedPage {
	number: number;
	size: number;
	before: unknown;
}

/** What the workflow makes of the list. */
export interface WorkflowFacts {
	/** The prefix of the customer IDs. */
	prefix: string;
	/**
	 * Given if it also asks for new members every minute: a status of someone whose first payment is
	 * missing, and the status after this payment.
	 */
	newMembers?: { unpaid: string; paid: string };
	/** Labels of the system's own pages, which the notes name. */
	labels?: string[];
}
