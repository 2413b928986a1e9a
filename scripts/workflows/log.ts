import type { Part } from './parts';

/** The name of the Data Table. */
export const LOG = 'Supercast access log';
const COLUMNS = [
	'sender',
	'event',
	'access',
	'email',
	'name',
	'customerId',
	'done',
	'why',
	'since',
] as const;

/** A node that works on a Data Table. */
export function dataTable(name: string, at: Part['at'], parameters: Record<string, unknown>): Part {
	return { name, type: 'n8n-nodes-base.dataTable', version: 1.1, at, parameters };
}

/** The reference to the log's table. */
export const byName = { dataTableId: { __rl: true, mode: 'name', value: LOG } };

/** Rows of the log, the newest first. */
export const rows = (conditions: Array<Record<string, unknown>>) => ({
	...byName,
	resource: 'row',
	operation: 'get',
	matchType: 'allConditions',
	filters: { conditions },
	returnAll: true,
	orderBy: true,
	orderByColumn: 'createdAt',
	orderByDirection: 'DESC',
});

/** Creates the table of the log if it is missing. */
export const logTable = (at: Part['at']): Part =>
	dataTable('Log Table', at, {
		resource: 'table',
		operation: 'create',
		tableName: LOG,
		columns: { column: COLUMNS.map((name) => ({ name, type: 'string' })) },
		options: { createIfNotExists: true },
	});

/**
 * What was done, for the log. If two events arrive at the same time, both executions may try to
 * create the subscriber. The later one changes nothing.
 */
const DONE = `$('Create or Update').isExecuted && $('Create or Update').first().json.action === 'unchanged' ? 'nothing' : $('Decide').last().json.done`;

/** Adds a row to the log. */
export const writeLog = (at: Part['at']): Part => {
	const value = Object.fromEntries(
		COLUMNS.map((name) => [
			name,
			name === 'done' ? `={{ ${DONE} }}` : `={{ $('Decide').last().json.${name} }}`,
		]),
	);
	const schema = COLUMNS.map((id) => ({
		id,
		displayName: id,
		type: 'string',
		required: false,
		defaultMatch: false,
		display: true,
		canBeUsedToMatch: true,
	}));
	const columns = { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
	return dataTable('Write to the Log', at, {
		...byName,
		resource: 'row',
		operation: 'insert',
		columns,
		options: {},
	});
};
