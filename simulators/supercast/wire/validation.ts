import { z } from 'zod';
import type { Settings } from '../settings';
import { ApiError, summary } from './errors';

/** A schema that accepts any type as input, because the input from the client is unknown. */
export type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

const BLANK = "can't be blank";
const INVALID = 'is invalid';
const NOT_IN_LIST = 'is not included in the list';

const isBlank = (value: unknown): boolean =>
	value === null || (typeof value === 'string' && value.trim() === '');

/** A required field that must not be blank. */
export function required<T>(schema: Schema<T>): Schema<T> {
	return z.preprocess((value) => (isBlank(value) ? undefined : value), schema);
}

/** An optional field that must not be blank if it is present. */
export function kept<T>(schema: Schema<T>): Schema<T | undefined> {
	return z.preprocess((value) => (isBlank(value) ? null : value), schema.optional());
}

/** An optional field that can be emptied with a blank value. */
export function nullable<T>(schema: Schema<T>): Schema<T | null | undefined> {
	return z.preprocess((value) => (isBlank(value) ? null : value), schema.nullable().optional());
}

/** Text. Numbers are converted to text, as Rails does. */
export function text(max = 255): Schema<string> {
	const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
	return z.preprocess(asText, z.string().max(max));
}

/** An email address, checked as loosely as in Devise. */
export const email: Schema<string> = z
	.string()
	.max(255)
	.regex(/^[^@\s]+@[^@\s]+$/);

/** An email as Supercast may store it. */
export const storedEmail = (
	email: string,
	{ storedEmails }: Pick<Settings, 'storedEmails'>,
): string => (storedEmails === 'lowered' ? email.toLowerCase() : email);

/** A boolean in any of the forms that web forms use. */
export const flag: Schema<boolean> = z.preprocess((value) => {
	if (value === 'true' || value === '1' || value === 1) return true;
	if (value === 'false' || value === '0' || value === 0) return false;
	return value;
}, z.boolean());

/** A whole number, or text with its digits. */
export const integer: Schema<number> = z.preprocess(
	(value) => (typeof value === 'string' && /^-?[0-9]+$/.test(value) ? Number(value) : value),
	z.number().int(),
);

/** A time in ISO 8601, returned in Supercast's format. */
export const dateTime: Schema<string> = z
	.string()
	.regex(/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/)
	.refine((value) => !Number.isNaN(Date.parse(value)), INVALID)
	.transform((value) => new Date(value).toISOString());

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** A language as an ISO 639-1 code (a field of a published integration). */
export const language: Schema<string> = z
	.string()
	.refine((value) => /^[a-z]{2}$/.test(value) && languages.of(value) !== undefined, NOT_IN_LIST);

/** The address of a web page. */
export const webAddress: Schema<string> = z
	.string()
	.url()
	.regex(/^https?:/);

const railsWords: z.ZodErrorMap = (issue) => {
	if (issue.code === 'invalid_type') {
		const absent = issue.received === 'undefined' || issue.received === 'null';
		return { message: absent ? BLANK : INVALID };
	}
	if (issue.code === 'too_small' && issue.type === 'string') {
		return { message: `is too short (minimum is ${issue.minimum} characters)` };
	}
	if (issue.code === 'too_big' && issue.type === 'string') {
		return { message: `is too long (maximum is ${issue.maximum} characters)` };
	}
	return { message: issue.code === 'invalid_enum_value' ? NOT_IN_LIST : INVALID };
};

/** Checks parameters. Unknown ones are ignored, as with Rails' strong parameters, or refused. */
export function validate<T>(
	schema: Schema<T>,
	values: Record<string, unknown>,
	{ unknownFields }: Pick<Settings, 'unknownFields'>,
): T {
	if (unknownFields === 'reject') refuseUnknown(schema, values);
	const parsed = schema.safeParse(values, { errorMap: railsWords });
	if (parsed.success) return parsed.data;
	throw refusalOf(parsed.error, 'base');
}

/**
 * A 422 that names each wrong field. `whole` is the name for errors that belong to no single field.
 */
export function refusalOf({ issues }: z.ZodError, whole: string): ApiError {
	const errors: Record<string, string[]> = {};
	for (const { path, message } of issues) {
		const field = path.join('.') || whole;
		errors[field] = [...new Set([...(errors[field] ?? []), message])];
	}
	return new ApiError(422, summary(errors), errors);
}

function refuseUnknown(schema: Schema<unknown>, values: Record<string, unknown>): void {
	if (!(schema instanceof z.ZodObject)) return;
	const known = Object.keys(schema.shape as object);
	const unknown = Object.keys(values).filter((name) => !known.includes(name));
	if (unknown.length === 0) return;
	const errors = Object.fromEntries(unknown.map((name) => [name, ['is not permitted']]));
	throw new ApiError(422, summary(errors), errors);
}
