/** A member in a membership system. Each system gives the statuses its own meaning. */
export interface SystemMember {
	id: string;
	email: string | null;
	name: string;
	status: string;
	/** Milliseconds since 1970. */
	created: number;
	/** IDs of tiers, plans or products. */
	products: string[];
	/** The last day of a gift or a pass, such as 2026-12-31. */
	until?: string;
}

/** The members of a mock server, in the order in which they joined. */
export class People<Member extends SystemMember = SystemMember> {
	readonly all: Member[] = [];

	private count = 0;

	/** `complete` adds what only this system has. */
	constructor(
		private readonly active: string,
		private readonly product: string,
		private readonly complete: (member: SystemMember) => Member,
	) {}

	/** Adds a person. */
	join(email: string | null, name = 'Ann Bell'): Member {
		this.count += 1;
		const member = this.complete({
			id: String(1000 + this.count),
			email,
			name,
			status: this.active,
			created: Date.now(),
			products: [this.product],
		});
		this.all.push(member);
		return member;
	}
}
