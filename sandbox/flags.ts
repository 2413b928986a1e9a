import { parseArgs } from 'node:util';
import { describeIssues, optionsSchema, type SandboxOptions } from './options';

type Kind = 'number' | 'string' | 'switch' | 'list';

/** Every flag of the command line: the option that it sets, and how to read its value. */
const FLAGS: Record<string, { option: keyof SandboxOptions; kind: Kind; value?: boolean }> = {
	personality: { option: 'personality', kind: 'string' },
	port: { option: 'port', kind: 'number' },
	'rate-limit': { option: 'rateLimit', kind: 'number' },
	'rate-window-ms': { option: 'rateWindowMs', kind: 'number' },
	'count-refused': { option: 'countRefused', kind: 'switch', value: true },
	'retry-after': { option: 'retryAfter', kind: 'string' },
	'token-ttl-s': { option: 'tokenTtlS', kind: 'number' },
	'per-page-max': { option: 'perPageMax', kind: 'number' },
	'per-page-too-large': { option: 'perPageTooLarge', kind: 'string' },
	'paging-headers': { option: 'headers', kind: 'string' },
	'no-paging-headers': { option: 'headers', kind: 'switch', value: false },
	'wrap-lists': { option: 'wrapLists', kind: 'string' },
	'wrap-records': { option: 'wrapRecords', kind: 'string' },
	dates: { option: 'dates', kind: 'string' },
	'no-all-in-fields': { option: 'allInFields', kind: 'switch', value: false },
	'feed-url': { option: 'feedUrl', kind: 'string' },
	order: { option: 'order', kind: 'string' },
	'latency-ms': { option: 'latencyMs', kind: 'number' },
	'latency-max-ms': { option: 'latencyMaxMs', kind: 'number' },
	'on-existing-email': { option: 'onExistingEmail', kind: 'string' },
	'email-lookup': { option: 'emailLookup', kind: 'string' },
	'stored-emails': { option: 'storedEmails', kind: 'string' },
	'stored-names': { option: 'storedNames', kind: 'string' },
	'visible-after-ms': { option: 'visibleAfterMs', kind: 'number' },
	recreated: { option: 'recreated', kind: 'string' },
	deleted: { option: 'deleted', kind: 'string' },
	'created-status': { option: 'createdStatus', kind: 'number' },
	'changed-status': { option: 'changedStatus', kind: 'number' },
	'no-write-bodies': { option: 'writeBodies', kind: 'switch', value: false },
	'flat-bodies': { option: 'flatBodies', kind: 'string' },
	'unknown-fields': { option: 'unknownFields', kind: 'string' },
	'no-create-questions': { option: 'createQuestions', kind: 'switch', value: false },
	'web-pages': { option: 'webPages', kind: 'string' },
	'error-body': { option: 'errorBody', kind: 'string' },
	'no-short-path': { option: 'shortPath', kind: 'switch', value: false },
	'no-token-info': { option: 'tokenInfo', kind: 'switch', value: false },
	'no-date-header': { option: 'dateHeader', kind: 'switch', value: false },
	'honour-idempotency-key': { option: 'honourIdempotencyKey', kind: 'switch', value: true },
	subscribers: { option: 'subscribers', kind: 'number' },
	episodes: { option: 'episodes', kind: 'number' },
	'usage-alerts': { option: 'usageAlerts', kind: 'number' },
	creators: { option: 'creators', kind: 'number' },
	roles: { option: 'roles', kind: 'number' },
	invites: { option: 'invites', kind: 'number' },
	questions: { option: 'questions', kind: 'number' },
	seed: { option: 'seed', kind: 'number' },
	ids: { option: 'ids', kind: 'string' },
	'log-size': { option: 'logSize', kind: 'number' },
	'redirect-uri': { option: 'redirectUris', kind: 'list' },
};

function readFlag(name: string, value: string | boolean | Array<string | boolean>): unknown {
	const flag = FLAGS[name];
	if (flag?.kind === 'switch') return flag.value;
	if (flag?.kind !== 'number') return value;
	if (typeof value !== 'string' || !/^[0-9]+$/.test(value)) {
		throw new Error(`--${name} takes a whole number, not "${String(value)}"`);
	}
	return Number(value);
}

/** Turns the command line into options. The error is one clear sentence. */
export function readFlags(args: string[]): SandboxOptions {
	const { values } = parseArgs({
		args,
		strict: true,
		allowPositionals: false,
		options: Object.fromEntries(
			Object.entries(FLAGS).map(([name, { kind }]) => [
				name,
				{ type: kind === 'switch' ? 'boolean' : 'string', multiple: kind === 'list' } as const,
			]),
		),
	});
	const options: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(values)) {
		const option = FLAGS[name]?.option;
		if (option === undefined || value === undefined) continue;
		options[option] = readFlag(name, value);
		const parsed = optionsSchema.pick({ [option]: true } as { port: true }).safeParse({
			[option]: options[option],
		});
		if (!parsed.success) throw new Error(`--${name} is invalid: ${describeIssues(parsed.error)}`);
	}
	return options;
}
