import { isRecord } from '../json';

const REDACTED = '[redacted]';

/** The minimum length of a secret. A shorter text is too likely to occur in ordinary text. */
const SHORTEST_SECRET = 8;

/**
 * Replaces secrets in Supercast's responses, which may repeat parts of the request. Otherwise, n8n
 * would store the secrets with the errors and outputs of an execution.
 *
 * @param secrets Values that are not texts, or are very short, are ignored.
 */
export function redact<T>(value: T, secrets: readonly unknown[]): T {
	const wanted = secrets
		.filter(
			(secret): secret is string => typeof secret === 'string' && secret.length >= SHORTEST_SECRET,
		)
		.map((text): Secret => ({ text }));
	return holdsAny(value, wanted) ? (redacted(value, wanted) as T) : value;
}

interface Secret {
	text: string;
	/** Also finds the text if some of its characters are percent-encoded, once or repeatedly. */
	pattern?: RegExp;
}

/** Few responses need the pattern, so it is made when it is needed. */
function patternOf(secret: Secret): RegExp {
	return (secret.pattern ??= anyEncodingOf(secret.text));
}

function anyEncodingOf(secret: string): RegExp {
	const characters = [...secret].map((character) => {
		const bytes = [...new TextEncoder().encode(character)];
		const encoded = bytes.map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`).join('');
		const plain = character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
		return `(?:${plain}|${encoded}${character === ' ' ? '|\\+' : ''})`;
	});
	return new RegExp(characters.join(''), 'gi');
}

/** Whether a value contains a secret. With objects or closures, lists would take 50% longer. */
function holdsAny(value: unknown, secrets: readonly Secret[]): boolean {
	if (typeof value === 'string') {
		for (const secret of secrets) {
			if (value.length < secret.text.length) continue;
			if (value.includes(secret.text)) return true;
			if (value.includes('%') && value.search(patternOf(secret)) >= 0) return true;
		}
	} else if (Array.isArray(value)) {
		for (const inner of value) if (holdsAny(inner, secrets)) return true;
	} else if (isRecord(value)) {
		for (const key in value) {
			if (holdsAny(key, secrets) || holdsAny(value[key], secrets)) return true;
		}
	}
	return false;
}

function redacted(value: unknown, secrets: readonly Secret[]): unknown {
	if (typeof value === 'string') {
		return secrets.reduce((text, secret) => text.replace(patternOf(secret), REDACTED), value);
	}
	if (Array.isArray(value)) return value.map((inner: unknown) => redacted(inner, secrets));
	if (!isRecord(value)) return value;
	const fields = Object.entries(value).map(
		([key, inner]) => [redacted(key, secrets) as string, redacted(inner, secrets)] as const,
	);
	return Object.fromEntries(fields);
}
