/** A record of the membership system: whom it names, and what access it gives. */

import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { identifierKey } from '../api/identity';
import { textOf } from '../api/json';
import { isBlank, isEmail, requireEmail } from '../operations/texts';
import type { ItemParameters } from '../operations/types';
import { refuseMissingId, requireCustomerId } from '../subscriber/missingId';
import type { Judged, RecordClaims } from './judge/judge';
import { productLabel, readProducts, type ProductNames } from './judge/products';

/** The names of a person. What the membership system does not say is empty. */
export interface RecordNames {
	email: string;
	/** The email in the form in which emails are compared. */
	emailKey: string;
	customerId: string;
}

export interface MemberRecord extends RecordNames, Judged {
	/** The index of its input item. */
	item: number;
	/** The membership system's own word. Empty if it has none. */
	status: string;
	/** How a report names the products. */
	products: readonly string[];
	/** Reads the other fields. Each takes time, and few people need them. */
	fields: () => OtherFields;
}

/** Fields that do not decide about access, such as names. */
export interface OtherFields {
	/** With Supercast's field names as keys. */
	fields: IDataObject;
	/** Why fields are left out or changed, one sentence each. */
	leftOut: readonly string[];
}

/** Reads what an item says about access, whatever it says about the person. */
export function readClaims(item: ItemParameters, names?: ProductNames): RecordClaims {
	const { product, accessUntil } = item.collection('options');
	return {
		access: item.parameter('access'),
		status: item.parameter('status'),
		products: readProducts(product, names),
		until: accessUntil,
	};
}

/** The membership system's own words of a record. */
export function ownWords({
	status,
	products,
}: RecordClaims): Pick<MemberRecord, 'products' | 'status'> {
	return { status: textOf(status).trim(), products: products.map(productLabel) };
}

/**
 * Reads whom an item names. Both may be empty.
 * @param prefixes The prefixes of customer IDs. Without any, an ID may begin with anything.
 * @throws InputError for an invalid email or customer ID.
 */
export function readNames(item: ItemParameters, prefixes: readonly string[]): RecordNames {
	const customerId = readCustomerId(item.parameter('customerId'), prefixes);
	const typed = item.parameter('email');
	const who = customerId === '' ? '' : ` (customer ID ${customerId})`;
	const email = isBlank(typed) ? '' : requireEmail(typed, 'Email', who);
	return { email, emailKey: identifierKey(email), customerId };
}

/** Reads whom a record names that gives no access. An invalid name in it must not stop a list. */
export function readNamesOfEnded(item: ItemParameters, prefixes: readonly string[]): RecordNames {
	const typed = textOf(item.parameter('email')).trim().normalize('NFC');
	const email = isEmail(typed) ? typed : '';
	return {
		email,
		emailKey: identifierKey(email),
		customerId: validId(item.parameter('customerId'), prefixes),
	};
}

/** Another prefix than one of these is valid here. */
function validId(typed: unknown, prefixes: readonly string[]): string {
	try {
		return isPrefixOnly(typed, prefixes) ? '' : readCustomerId(typed, []);
	} catch {
		return '';
	}
}

/** Such as `woo-`, with nothing behind it, which is no customer ID. */
function isPrefixOnly(typed: unknown, prefixes: readonly string[]): boolean {
	return prefixes.includes(textOf(typed).trim());
}

function readCustomerId(typed: unknown, prefixes: readonly string[]): string {
	if (isBlank(typed) || isPrefixOnly(typed, prefixes)) return '';
	const id = requireCustomerId(typed);
	if (!hasPrefix(id, prefixes)) {
		const expected = prefixes.map((prefix) => `"${prefix}"`).join(' or ');
		throw new InputError(
			`'Customer ID' is "${id}", which does not begin with ${expected}`,
			"Put the prefix in front of every ID, or correct 'Customer ID Prefix'.",
		);
	}
	refuseMissingId(id, prefixes);
	return id;
}

/** Whether a customer ID begins with one of these prefixes. Without any, every ID does. */
export function hasPrefix(customerId: string, prefixes: readonly string[]): boolean {
	return prefixes.length === 0 || prefixes.some((prefix) => customerId.startsWith(prefix));
}

/** The customer ID of a record, if it has one. */
export function idsOf({ customerId }: RecordNames): string[] {
	return customerId === '' ? [] : [customerId];
}

/** Whether a record names someone. */
export function namesSomebody({ email, customerId }: RecordNames): boolean {
	return email !== '' || customerId !== '';
}
