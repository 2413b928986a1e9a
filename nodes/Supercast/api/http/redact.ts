import { isRecord } from '../json';

const REDACTED = '[redacted]';

/** Shorter texts are too likely to be part of something else. */
const SHORTEST_SECRET = 8;

/**
 * Takes secrets out of what the service sent, which may repeat what it was sent: errors and outputs
 * are stored with an execution.
 *
 * @param value Parsed JSON.
 * @param secrets The credential's tokens and secrets; what is no text, or very short, is left out.
 * @returns The value, with `[redacted]` in place of each secret; the same one where there is none.
 */
export function redact<T>(value: T, secrets: readonly unknown[]): T {
	const wanted = secrets.filter(
		(secret): secret is string => typeof secret === 'string' && secret.length >= SHORTEST_SECRET,
	);
	return wanted.length === 0 ? value : (redacted(value, wanted) as T);
}

function redacted(value: unknown, secrets: readonly string[]): unknown {
	if (typeof value === 'string') {
		return secrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), value);
	}
	if (Array.isArray(value)) {
		const list = value.map((inner: unknown) => redacted(inner, secrets));
		return list.some((inner, index) => inner !== value[index]) ? list : value;
	}
	if (!isRecord(value)) return value;
	const entries = Object.entries(value);
	const fields = entries.map(
		([key, inner]) => [redacted(key, secrets) as string, redacted(inner, secrets)] as const,
	);
	const isChanged = fields.some(([key, inner], n) => {
		const [oldKey, oldInner] = entries[n]!;
		return key !== oldKey || inner !== oldInner;
	});
	return isChanged ? Object.fromEntries(fields) : value;
}
