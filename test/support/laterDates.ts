/** A date that is ahead of the real one, for n8n and the node alike. */
export interface LaterDates {
	/** Lets this many minutes pass. */
	pass(minutes: number): void;
}

/** Lets the tests of a file decide what time it is. */
export function useLaterDates(): LaterDates {
	const RealDate = Date;
	const { now: realNow } = RealDate;
	let laterMs = 0;
	const now = () => realNow() + laterMs;
	const LaterDate = new Proxy(RealDate, {
		get: (date, key, receiver): unknown => (key === 'now' ? now : Reflect.get(date, key, receiver)),
		// Engines before 2.0 take the start of a node from `new Date()`.
		construct: (date, values, newTarget) =>
			Reflect.construct(date, values.length === 0 ? [now()] : values, newTarget) as Date,
	});
	beforeEach(() => {
		laterMs = 0;
		globalThis.Date = LaterDate;
	});
	afterEach(() => {
		globalThis.Date = RealDate;
	});
	return { pass: (minutes) => void (laterMs += minutes * 60_000) };
}
