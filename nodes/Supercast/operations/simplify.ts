import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { simplifyProperty } from './properties';
import type { RecordKind, Simplifiable } from './recordKind';
import { isOn } from './validation';
import type { OperationItem } from './types';

type MaybeSimplifiable = RecordKind & Partial<Simplifiable>;

/** The parameter Simplify, for a kind that has many fields. */
export function simplifyProperties(kind: MaybeSimplifiable): INodeProperties[] {
	return kind.simplify === undefined ? [] : [simplifyProperty];
}

/** What an item's records are put through before they are handed on. */
export function simplifier(
	kind: MaybeSimplifiable,
	item: OperationItem,
): (record: IDataObject) => IDataObject {
	const { simplify } = kind;
	return simplify !== undefined && isOn(item.parameter('simplify'), 'Simplify')
		? simplify
		: (record) => record;
}
