import { createHash } from 'node:crypto';

/** A seeded source of numbers in [0, 1). The same seed gives the same sandbox. */
export type Random = () => number;

/** Mulberry32 is small, and good enough for sample data. Never use it for secrets. */
export function seededRandom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

/** Hexadecimal digits from a seeded source. */
export function hex(random: Random, length: number): string {
	let digits = '';
	while (digits.length < length) {
		digits += Math.floor(random() * 0x100000000)
			.toString(16)
			.padStart(8, '0');
	}
	return digits.slice(0, length);
}

/** A version 4 UUID from a seeded source. */
export function uuid(random: Random): string {
	const digits = hex(random, 32);
	const variant = '89ab'.charAt(Number.parseInt(digits.charAt(16), 16) % 4);
	return [
		digits.slice(0, 8),
		digits.slice(8, 12),
		`4${digits.slice(13, 16)}`,
		`${variant}${digits.slice(17, 20)}`,
		digits.slice(20),
	].join('-');
}

/** One of the values in a list, chosen by a seeded source. */
export function pick<T>(random: Random, values: readonly T[]): T {
	const value = values[Math.floor(random() * values.length)];
	if (value === undefined) throw new Error('Nothing to pick from');
	return value;
}

/** A stable 32-bit hash (FNV-1a). It puts lists without an order into a fixed order. */
export function hash32(text: string, seed: number): number {
	let hash = (2166136261 ^ seed) >>> 0;
	for (let index = 0; index < text.length; index++) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
	}
	// Without this step, keys that differ only in their last digit would stay next to each other.
	hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
	return (hash ^ (hash >>> 13)) >>> 0;
}

/** A short mark that distinguishes two secrets in the log without showing either. */
export function fingerprint(secret: string): string {
	return `[redacted:${createHash('sha256').update(secret).digest('hex').slice(0, 8)}]`;
}
