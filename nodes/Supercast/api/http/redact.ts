import { isRecord } from '../json';

/** A shorter text is too likely to occur in ordinary text. */
const SHORTEST_SECRET = 8;

interface Secret {
	text: string;
	/** Also finds the text if some of its characters are percent-encoded, once or repeatedly. */
	pattern?: RegExp;
}

/**
 * Removes secrets from Supercast's responses, which may repeat parts of the request. n8n stores
 * responses with the execution.
 */
export class Secrets {
	private readonly all: Secret[] = [];

	constructor(...values: unknown[]) {
		for (const value of values) this.add(value);
	}

	add(text: unknown): void {
		if (typeof text !== 'string' || text.length < SHORTEST_SECRET) return;
		if (!this.all.some((known) => known.text === text)) this.all.push({ text });
	}

	redact<T>(value: T): T {
		return holdsAny(value, this.all) ? (redacted(value, this.all) as T) : value;
	}
}

/** Few responses need the pattern, and making it takes a fifth of a millisecond. */
function patternOf(secret: Secret): RegExp {
	if (secret.pattern !== undefined) return secret.pattern;
	let source = '';
	for (const character of secret.text) {
		const bytes = [...new TextEncoder().encode(character)];
		const encoded = bytes.map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`).join('');
		const plain = character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
		source += `(?:${plain}|${encoded}${character === ' ' ? '|\\+' : ''})`;
	}
	return (secret.pattern = new RegExp(source, 'gi'));
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
		return secrets.reduce((text, one) => text.replace(patternOf(one), '[redacted]'), value);
	}
	if (Array.isArray(value)) return value.map((inner) => redacted(inner, secrets));
	if (!isRecord(value)) return value;
	const fields = Object.entries(value).map((field) => redacted(field, secrets));
	return Object.fromEntries(fields as Array<[string, unknown]>);
}
