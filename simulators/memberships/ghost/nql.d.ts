declare module '@tryghost/nql-lang' {
	/** Reads a filter. Throws an error if it is not one. */
	export function parse(filter: string): object;
}
