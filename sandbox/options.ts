import { z } from 'zod';

const count = (fallback: number) => z.number().int().min(0).default(fallback);
const positive = (fallback: number) => z.number().int().min(1).default(fallback);

const settings = {
	rateLimit: count(100),
	rateWindowMs: positive(60_000),
	countRefused: z.boolean().default(false),
	retryAfter: z.enum(['seconds', 'date', 'absent']).default('seconds'),
	perPageMax: positive(100),
	headers: z.boolean().default(true),
	order: z.enum(['oldest', 'newest', 'unordered']).default('oldest'),
	latencyMs: count(0),
	onExistingEmail: z.enum(['reject', 'reactivate', 'duplicate']).default('reject'),
	honourIdempotencyKey: z.boolean().default(false),
};

/** What can change while the sandbox runs (`POST /_sandbox/settings`). */
export const settingsSchema = z.object(settings).strict();

/** Everything `createSandbox` accepts, with its defaults. */
export const optionsSchema = settingsSchema
	.extend({
		port: z.number().int().min(0).max(65_535).default(0),
		tokenTtlS: positive(7_200),
		subscribers: count(25),
		episodes: count(12),
		usageAlerts: count(3),
		creators: count(2),
		roles: count(3),
		invites: count(2),
		questions: count(4),
		seed: z.number().int().min(0).default(1),
		ids: z.enum(['number', 'uuid']).default('number'),
		logSize: count(10_000),
		redirectUris: z.array(z.string().url()).default([]),
		now: z.custom<() => number>((value) => typeof value === 'function').default(() => Date.now),
	})
	.strict();

/** The part of the options that may change at run time. */
export type Settings = z.output<typeof settingsSchema>;
/** Options with every default filled in. */
export type Options = z.output<typeof optionsSchema>;
/** Options as a caller gives them: all optional. */
export type SandboxOptions = z.input<typeof optionsSchema>;

/** Fills in the defaults; a wrong option is one clear sentence. */
export function resolveOptions(given: SandboxOptions): Options {
	const parsed = optionsSchema.safeParse(given);
	if (parsed.success) return parsed.data;
	throw new Error(describeIssues(parsed.error));
}

/** The settings among the options. */
export function settingsOf(options: Options): Settings {
	return settingsSchema.strip().parse(options);
}

/** What is wrong with a set of values, as one sentence. */
export function describeIssues(error: z.ZodError): string {
	const parts = error.issues.map((issue) => {
		const where = issue.path.join('.');
		return where === '' ? issue.message : `${where}: ${issue.message}`;
	});
	return parts.join('; ');
}
