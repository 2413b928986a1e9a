/**
 * A problem that stops the demo and that the user can solve. The demo shows its message without a
 * stack trace.
 */
export class Problem extends Error {}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
