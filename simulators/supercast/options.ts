import { z } from 'zod';
import { LIST_KEYS, LIST_INFO, type ListKey } from './data/lists';
import { PROFILES, type ProfileName } from './profiles';
import { settingsSchema, type Settings } from './settings';

const count = (fallback: number) => z.number().int().min(0).default(fallback);

const profileNames = Object.keys(PROFILES) as [ProfileName, ...ProfileName[]];

/** How many records each list contains. */
const counts = Object.fromEntries(
	LIST_KEYS.map((name) => [name, count(LIST_INFO[name].count)]),
) as Record<ListKey, ReturnType<typeof count>>;

/** All options of `createSandbox`, with their defaults. */
export const optionsSchema = settingsSchema
	.extend({
		/** A set of settings. Settings that are passed separately override it. */
		profile: z.enum(profileNames).optional(),
		port: z.number().int().min(0).max(65_535).default(0),
		tokenTtlS: z.number().int().min(1).default(7_200),
		...counts,
		seed: z.number().int().min(0).default(1),
		logSize: count(10_000),
		redirectUris: z.array(z.string().url()).default([]),
		now: z.custom<() => number>((value) => typeof value === 'function').default(() => Date.now),
	})
	.strict();

/** Options in which every default is filled in. */
export type Options = z.output<typeof optionsSchema>;
/** Options as passed by a caller. All are optional. */
export type SandboxOptions = z.input<typeof optionsSchema>;

/**
 * Applies the profile and the defaults. The error about a wrong option is one clear sentence.
 */
export function resolveOptions(given: SandboxOptions): Options {
	const named = optionsSchema.pick({ profile: true }).strip().safeParse(given);
	const profile = named.success ? named.data.profile : undefined;
	const own = profile === undefined ? {} : PROFILES[profile];
	const parsed = optionsSchema.safeParse({ ...own, ...given });
	if (parsed.success) return parsed.data;
	throw new Error(describeIssues(parsed.error));
}

/** Those options that are settings. */
export function settingsOf(options: Options): Settings {
	return settingsSchema.strip().parse(options);
}

/** Everything that is wrong with a set of values, in one sentence. */
export function describeIssues(error: z.ZodError): string {
	const parts = error.issues.map((issue) => {
		const where = issue.path.join('.');
		return where === '' ? issue.message : `${where}: ${issue.message}`;
	});
	return parts.join('; ');
}
