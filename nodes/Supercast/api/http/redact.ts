import { isRecord } from '../json';

/** A shorter text is too likely to occur in ordinary text. */
const SHORTEST_SECRET = 8;

interface Secret {
	text: string;
	/** Also finds the text if some of its characters are percent-encoded, once or repeatedly. */
	pattern: RegExp;
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
		if (this.all.some((known) => known.text === text)) return;
		let source = '';
		for (const character of text) {
			const hex = Buffer.from(character).toString('hex');
			const plain = character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
			const encoded = hex.replace(/../g, '%(?:25)*$&');
			source += `(?:${plain}|${encoded}${character === ' ' ? '|\\+' : ''})`;
		}
		this.all.push({ text, pattern: new RegExp(source, 'gi') });
	}

	redact<T>(value: T): T {
		return holdsAny(value, this.all) ? (redacted(value, this.all) as T) : value;
	}
}

/**
 * Whether a value contains a secret. This checks each field of each response, so it creates no
 * objects or closures. With them, lists would take 50% longer.
 */
function holdsAny(value: unknown, secrets: readonly Secret[]): boolean {
	if (typeof value === 'string') return textHoldsAny(value, secrets);
	if (typeof value !== 'object' || value === null) return false;
	if (Array.isArray(value)) {
		for (const inner of value) if (holdsAny(inner, secrets)) return true;
		return false;
	}
	const record = value as Record<string, unknown>;
	for (const key in record) {
		if (textHoldsAny(key, secrets) || holdsAny(record[key], secrets)) return true;
	}
	return false;
}

function textHoldsAny(value: string, secrets: readonly Secret[]): boolean {
	for (const secret of secrets) {
		if (value.length < secret.text.length) continue;
		if (value.includes(secret.text)) return true;
		if (value.includes('%') && value.search(secret.pattern) >= 0) return true;
	}
	return false;
}

function redacted(value: unknown, secrets: readonly Secret[]): unknown {
	if (typeof value === 'string') {
		return secrets.reduce((text, one) => text.replace(one.pattern, '[redacted]'), value);
	}
	if (Array.isArray(value)) return value.map((inner) => redacted(inner, secrets));
	if (!isRecord(value)) return value;
	const fields = Object.entries(value).map((field) => redacted(field, secrets));
	return Object.fromEntries(fields as Array<[string, unknown]>);
}
