/** Something that stops the demo and that a person can act on: shown as its message, no stack. */
export class Problem extends Error {}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
