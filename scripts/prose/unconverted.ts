/** Files, or beginnings of their paths, whose texts do not follow CONTRIBUTING's writing rules yet. */
export const unconverted: string[] = [
	'CHANGELOG.md',
	'SECURITY.md',
	'docs/benchmarks.md',
	'docs/credentials.md',
	'docs/decisions/0006-pacing-and-retries.md',
	'docs/decisions/0007-trigger-memory.md',
	'docs/decisions/0008-one-renewal.md',
	'docs/queue-mode.md',
	'docs/service.md',
	'docs/trigger.md',
	'sandbox/',
];
