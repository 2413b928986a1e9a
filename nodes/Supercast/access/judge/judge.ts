/** What access a record gives, by the words that the user has typed. */

import { textOf } from '../../api/json';
import { isBlank } from '../../operations/texts';
import { productAccess, productName, type Product, type ProductWords } from './products';
import { readUntil, type Today } from './until';
import { EMPTY, OTHER, wordKey, type WordLists } from './words';

/**
 * - `open`: the person must have an open feed.
 * - `unclear`: no list has it. It changes nothing, and a report names the person.
 * - `keep`: what is open stays open, what is closed stays closed, and nobody is created.
 * - `close`: the record gives no access.
 */
export type RecordAccess = 'close' | 'keep' | 'open' | 'unclear';

/** The three lists of words, by the access that they give. */
export type StatusWords = WordLists<'closeFor' | 'keepFor' | 'openFor'>;

/** What a record says, as the parameters give it. */
export interface RecordClaims {
	access: unknown;
	status: unknown;
	products: readonly Product[];
	until: unknown;
}

/** By what records are judged. */
export interface JudgeRules extends Today {
	words: StatusWords;
	productWords: ProductWords;
	/** Whether a record has a status. If none has, the column is lost, and `(empty)` means nothing. */
	hasStatuses: boolean;
}

/** Why a record gives the access that it gives, besides its status. */
export type Ground =
	| { kind: 'endedOn'; day: string }
	| { kind: 'noProduct' | 'noStatus' | 'status' }
	| { kind: 'notAccess' | 'unknownStatus' | 'unreadableDay'; text: string }
	| { kind: 'otherProduct' | 'unknownProduct' | 'unnamedProduct'; product: string };

/** The access that a record gives, and why. */
export interface Judged {
	access: RecordAccess;
	ground: Ground;
}

/** The value of Access that leaves the decision to the lists of words. */
export const BY_STATUS = 'byStatus';

/** Whether the parameter Access asks for the lists of words. */
export function isByStatus(access: unknown): boolean {
	return textOf(access).trim() === BY_STATUS;
}

const ACCESS_OF = { openFor: 'open', keepFor: 'keep', closeFor: 'close' } as const;

const OWN: Ground = { kind: 'status' };

/**
 * Judges a record. A product that gives none, or a day that has passed, ends the access whatever the
 * status is. After that, everything that nobody has decided about makes the record unclear.
 */
export function judge(claims: RecordClaims, rules: JudgeRules): Judged {
	const products = productAccess(claims.products, rules.productWords);
	if (products === 'other') return close({ kind: 'otherProduct', product: productsText(claims) });
	const until = readUntil(claims.until, rules);
	if (until.kind === 'hasEnded') return close({ kind: 'endedOn', day: until.on });
	const judged = judgeStatus(claims, rules);
	if (judged.access === 'close' || judged.access === 'unclear') return judged;
	if (products === 'none') return unclear({ kind: 'noProduct' });
	if (products !== 'counts') {
		const kind = products.unknown.lacksName ? 'unnamedProduct' : 'unknownProduct';
		return unclear({ kind, product: productName(products.unknown) });
	}
	return until.kind === 'unreadable'
		? unclear({ kind: 'unreadableDay', text: until.text })
		: judged;
}

function judgeStatus({ access, status }: RecordClaims, rules: JudgeRules): Judged {
	const text = textOf(access).trim();
	if (text === 'open' || text === 'keep' || text === 'close') return { access: text, ground: OWN };
	if (text !== BY_STATUS) {
		return unclear({ kind: 'notAccess', text: text || (isBlank(access) ? '' : 'an object') });
	}
	return byWords(status, rules);
}

function byWords(status: unknown, { words, hasStatuses }: JudgeRules): Judged {
	const hasNone = wordKey(status) === '';
	const list = hasNone
		? words.find(hasStatuses ? EMPTY : undefined)
		: (words.find(status) ?? words.find(OTHER));
	if (list !== undefined) return { access: ACCESS_OF[list], ground: OWN };
	return unclear(hasNone ? { kind: 'noStatus' } : { kind: 'unknownStatus', text: textOf(status) });
}

function close(ground: Ground): Judged {
	return { access: 'close', ground };
}

function unclear(ground: Ground): Judged {
	return { access: 'unclear', ground };
}

function productsText({ products }: RecordClaims): string {
	return products.length === 0 ? '' : products.map(productName).join(', ');
}
