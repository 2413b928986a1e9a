/** The names of parameters before the page of rules. Goes as soon as nothing uses them. */

import type { INodeParameters } from 'n8n-workflow';

import type { Tree } from './settings';

export function earlierTree(
	common: INodeParameters,
	meaning: Readonly<Record<string, string>>,
): Tree {
	return {
		name: 'the earlier rules',
		maxClosePercent: 5,
		alwaysCloses: 1,
		// It closes no more than its limit in one run, and the rest later.
		breaks: ['limit', 'opens', 'secondList'],
		// As in the workflows of this package.
		sync: ({ prefix, neverClose, expected, isDry = false, allowed }) => ({
			...{ ...common, access: '={{ $json.access }}', operation: 'sync', dryRun: isDry },
			...{ close: 'withCustomerId', maxClosePercent: 5 },
			...(allowed?.name === 'maxClosePercent' && { maxClosePercent: allowed.value }),
			options: {
				...{ customerIdPrefix: prefix, graceHours: 0, output: 'changesAndSummary' },
				...(neverClose.length > 0 && { neverClose: neverClose.join(', ') }),
				...(expected !== undefined && {
					recordId: '={{ $json.recordId }}',
					recordsExpected: expected,
				}),
				...(allowed && allowed.name !== 'maxClosePercent' && { [allowed.name]: allowed.value }),
			},
		}),
		setAccess: () => ({
			...{ ...common, access: '={{ $json.access }}', operation: 'setAccess', options: {} },
		}),
		itemOf: (row) => ({ ...row, access: meaning[row.status] ?? '' }),
		allowanceIn: (message) => {
			const [, time] = /'Wrong List' to "([^"]+)"/.exec(message) ?? [];
			if (time !== undefined)
				return { name: 'wrongList', value: time, lists: 2, closings: Infinity };
			const [, percent] = /'Max Close \(%\)' to (\d+)/.exec(message) ?? [];
			if (percent !== undefined) {
				return { name: 'maxClosePercent', value: Number(percent), lists: 2, closings: Infinity };
			}
			const [, opens] = /'Max Open \(Feeds\)' to (\d+)/.exec(message) ?? [];
			return opens === undefined
				? undefined
				: { name: 'maxOpen', value: Number(opens), lists: 1, closings: Infinity };
		},
	};
}
