/** The summary item of Sync: the report in its forms, and all numbers under one key. */

import type { IDataObject } from 'n8n-workflow';

import { OBSTACLES } from '../access/reasons';
import { inAllForms, type Told } from './forms';
import { emailOf } from './page/names';
import { refusalTexts } from './refusals';
import type { ToldRun } from './run';
import { reasonText } from './wording';

export function summaryItem(run: ToldRun, told: Told): IDataObject {
	return {
		action: 'summary',
		dryRun: run.settings.dryRun,
		skipped: false,
		...inAllForms(told),
		numbers: numbersItem(run),
	};
}

/** The numbers of a run, for workflows that decide something by them. */
function numbersItem(run: ToldRun): IDataObject {
	const { numbers, plan, settings, short, conflicts, cannotClose, statuses } = run;
	return {
		...numbers,
		statuses: statuses.map((one) => ({ ...one })),
		recordsMissing: short === undefined ? 0 : Math.max(0, short.expected - short.read),
		conflicts: conflicts.map((one) => `${emailOf(one)}: ${reasonText(one)}`),
		cannotClose: Object.fromEntries(
			[...cannotClose].map(([reason, count]) => [OBSTACLES[reason].text, count]),
		),
		planned: plan.planned,
		limit: {
			inScope: plan.inScope,
			maxClosings: plan.maxClosings,
			maxOpenings: settings.maxOpen ?? null,
			exceeded: refusalTexts(run)?.message ?? null,
		},
	};
}
