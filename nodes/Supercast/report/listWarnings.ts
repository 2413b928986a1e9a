/** Warnings about a list that may lack members, although nobody knows: rows of `warnings.ts`. */

import { words, type Block } from './page/blocks';
import { joinNames } from './page/names';
import type { ToldRun } from './run';

export interface Warning {
	/** Whether the page of a dry run says it before anything else. */
	isFirst?: true;
	/** What the title of the email says. Empty if it does not apply. */
	title?: (run: ToldRun) => string;
	/** What happened, to whom, and what to do. Empty or without content if it does not apply. */
	blocks: (run: ToldRun) => Block[];
}

export const LIST_WARNINGS = {
	damaged: {
		title: ({ damaged: { length } }) =>
			length === 0 ? '' : `${length} empty ${length === 1 ? 'item' : 'items'}`,
		blocks: ({ damaged, snapshot: { noClosingReason: reason } }) => {
			if (damaged.length === 0) return [];
			const numbers = joinNames(damaged.map((item) => `item ${item}`));
			const then =
				reason === 'damaged'
					? 'Sync closes no feeds in this run.'
					: 'The previous list had the same number of empty items, so Sync assumes that they come from branches without members.';
			return [
				words(
					`Some items are empty, and each may have been a member: ${numbers} (n8n counts from 0). ${then} Check the node that returns these items. If a branch has no members, turn on 'Always Output Data' only in the node that reads the members.`,
				),
			];
		},
	},
	fullPage: {
		blocks: ({ isFullPage }) =>
			isFullPage
				? [
						words(
							"The list has exactly 50 items, which is the default limit of Data Table and other nodes. If more people are members, turn on 'Return All' in the node that reads them.",
						),
					]
				: [],
	},
	vanished: {
		title: ({ vanished }) =>
			vanished.length === 0
				? ''
				: `the list has nobody with ${prefixNames({ prefixes: vanished })}`,
		blocks: ({ vanished }) =>
			vanished.length === 0
				? []
				: [
						words(
							`Earlier lists had members with ${prefixNames({ prefixes: vanished })} in their customer ID. This list has no such member, although some of their feeds are open. Check the node that reads these members. If they have all left, you need do nothing.`,
						),
					],
	},
} satisfies Record<string, Warning>;

export function prefixNames({ prefixes }: { prefixes: readonly string[] }): string {
	return prefixes.map((prefix) => `"${prefix}"`).join(' or ');
}
