import * as n8nWorkflow from 'n8n-workflow';

type RegexEngine = Parameters<typeof n8nWorkflow.setSafeRegexEngine>[0];

const native: RegexEngine = {
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, replacement) =>
		input.replace(new RegExp(pattern, flags), replacement),
	matchAll: (pattern, input, flags = '') =>
		Array.from(input.matchAll(new RegExp(pattern, `${flags.replace('g', '')}g`))),
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
};

/**
 * Removes the time limit of n8n's regular expressions. The limit is 250 ms of real time, which a
 * busy machine exceeds. Older versions of n8n have no limit.
 */
export function giveRegularExpressionsTime(): void {
	const { setSafeRegexEngine }: Partial<typeof n8nWorkflow> = n8nWorkflow;
	setSafeRegexEngine?.(native);
}
