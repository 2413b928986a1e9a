/** Files, or beginnings of their paths, whose texts do not follow CONTRIBUTING's writing rules yet. */
export const unconverted: string[] = [
	'docs/benchmarks.md',
	'docs/decisions/0006-pacing-and-retries.md',
	'docs/queue-mode.md',
];
