/** A date that is ahead of the real one, for n8n and the node alike. */
export interface LaterDates {
	/** Lets this many minutes pass. */
	pass(minutes: number): void;
}

/** Lets the tests of a file decide what time it is. */
export function useLaterDates(): LaterDates {
	const realNow = Date.now;
	let laterMs = 0;
	beforeEach(() => {
		laterMs = 0;
		Date.now = () => realNow() + laterMs;
	});
	afterEach(() => {
		Date.now = realNow;
	});
	return { pass: (minutes) => void (laterMs += minutes * 60_000) };
}
