/**
 * A problem that stops the demo and that a person can solve. Shown as its message, without a stack.
 */
export class Problem extends Error {}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
