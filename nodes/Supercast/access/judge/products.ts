/** The products of a record, and whether they give access. */

import { asRecord, isRecord, textOf } from '../../api/json';
import { EMPTY, OTHER, wordKey, type WordLists } from './words';

/** A product. One of the two may be empty. */
export interface Product {
	id: string;
	name: string;
	/** Whether the names are given, but not this one, so that a list may have the product by name. */
	lacksName?: boolean;
}

/** The names of products, by the key of their ID. */
export type ProductNames = ReadonlyMap<string, string>;

/** `products` give access, and `otherProducts` give none. */
export type ProductWords = WordLists<'otherProducts' | 'products'>;

/**
 * Reads the names of products from objects with `id` and `name`, or with `attributes.title`, as
 * Patreon sends its tiers. Leaves out any other value.
 */
export function readProductNames(given: unknown): ProductNames {
	const all = [given].flat(2).map((one) => {
		const { id, name, attributes } = asRecord(one);
		return [textOf(id), textOf(name ?? asRecord(attributes).title).trim()] as const;
	});
	const named = all.filter(([id, name]) => id !== '' && name !== '');
	return new Map(named.map(([id, name]) => [wordKey(id), name]));
}

/**
 * Reads the products of a record: a text, an object with `id` and `name`, or a list of them.
 * @param names Undefined if the user gives none.
 */
export function readProducts(given: unknown, names?: ProductNames): Product[] {
	return [given].flat(2).flatMap((one: unknown): Product[] => {
		const { id, name } = isRecord(one) ? one : { id: one, name: undefined };
		const product = { id: textOf(id).trim(), name: textOf(name).trim() };
		product.name ||= names?.get(wordKey(id)) ?? '';
		if (product.id === '' && product.name === '') return [];
		return [names && product.name === '' ? { ...product, lacksName: true } : product];
	});
}

/** How a person knows a product. */
export function productName({ id, name }: Product): string {
	return name || id;
}

/** A product in a report, where a user may look for either. */
export function productLabel({ id, name }: Product): string {
	return id !== '' && name !== '' ? `${name} (${id})` : name || id;
}

/** Whether the products of a record give access. If nobody can tell, which one is the reason. */
export type ProductAccess = 'counts' | 'none' | 'other' | { unknown: Product };

export function productAccess(products: readonly Product[], words: ProductWords): ProductAccess {
	if (words.isEmpty) return 'counts';
	// A product that is named nowhere may be one of those that give none.
	const isExclusive = words.has('products');
	if (products.length === 0) return ofList(words.find(EMPTY)) ?? (isExclusive ? 'none' : 'counts');
	const kinds = products.map((one) => {
		return listOf(one, words) ?? (isExclusive || one.lacksName ? undefined : 'products');
	});
	if (kinds.includes('products')) return 'counts';
	const [unknown] = products.filter((_, index) => kinds[index] === undefined);
	return unknown === undefined ? 'other' : { unknown };
}

function listOf(
	{ id, name, lacksName }: Product,
	words: ProductWords,
): 'otherProducts' | 'products' | undefined {
	return words.find(id) ?? words.find(name) ?? words.find(lacksName ? undefined : OTHER);
}

function ofList(list: 'otherProducts' | 'products' | undefined): 'counts' | 'other' | undefined {
	if (list === undefined) return undefined;
	return list === 'products' ? 'counts' : 'other';
}
