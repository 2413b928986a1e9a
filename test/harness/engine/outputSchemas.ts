/** The output schemas of the operations, made from the results of the engine test cases. */

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { resources } from '../../../nodes/Supercast/resources';
import { asRecord, isRecord } from '../../../nodes/Supercast/api/json';
import type { Sandbox } from '../../../simulators/supercast';
import { caseOf, openSandbox, runCase, startAgain } from './runCases';

/** The parts of a value's JSON Schema that n8n reads. */
export interface JsonSchema {
	type: string | string[];
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
}

/** Schemas of one output item, by the path of their files, such as `feed/get`. */
export async function outputSchemas(): Promise<Map<string, JsonSchema>> {
	const sandbox = await openSandbox();
	const schemas = new Map<string, JsonSchema>();
	for (const [resource, { operations }] of Object.entries(resources)) {
		const outputs = new Map<string, IDataObject[]>();
		for (const key of Object.keys(operations)) {
			outputs.set(key, await outputsOf(resource, key, sandbox));
		}
		// A field that is empty in the samples of one operation may have a value in those of
		// another.
		const all = [...outputs.values()].flat();
		for (const [key, samples] of outputs) {
			const fields = commonNames(samples).map((name) => [name, schemaOf(valuesOf(all, name))]);
			const properties = Object.fromEntries(fields) as JsonSchema['properties'];
			schemas.set(`${resource}/${key}`, { type: 'object', properties });
		}
	}
	await sandbox.close();
	return schemas;
}

/**
 * The output of an operation for the items of its case, with each way to select a person. It leaves
 * out the output for a missing person, because nobody maps the fields of that exception.
 */
export async function outputsOf(
	resource: string,
	operation: string,
	sandbox: Sandbox,
): Promise<IDataObject[]> {
	const tried = caseOf(resource, operation);
	const outputs: IDataObject[] = [];
	for (const parameters of waysToSelect(tried.parameters)) {
		await startAgain(tried, sandbox);
		const items = [...tried.items(sandbox), ...(tried.more?.(sandbox) ?? [])];
		const more = { ...parameters, ...(operation === 'getAll' ? { returnAll: true } : {}) };
		const { subscribers, creators } = sandbox.state;
		for (const item of items) {
			const person = [...subscribers, ...creators].find(({ email }) => email === item.email);
			const run = { resource, operation, item: { uuid: person?.uuid, ...item }, more };
			const { output, error } = await runCase(sandbox, run);
			if (error !== undefined) throw new Error(`${resource}: ${operation}`, { cause: error });
			// The summary of a Sync is about all items, and nobody maps its fields for each.
			outputs.push(...output.map(({ json }) => json).filter((json) => json.action !== 'summary'));
		}
	}
	return outputs;
}

/** The changes to the parameters of a case. The second form has the UUID instead of an email. */
function waysToSelect(parameters: INodeParameters): INodeParameters[] {
	const entries = Object.entries(parameters);
	const byEmail = entries.find(([, value]) => asRecord(value).mode === 'email');
	if (byEmail === undefined) return [{}];
	return [{}, { [byEmail[0]]: { __rl: true, mode: 'uuid', value: '={{ $json.uuid }}' } }];
}

/** A schema that all samples match, with the fields that all of them have. */
function schemaOf(samples: unknown[]): JsonSchema {
	const types = [...new Set(samples.map(typeOf))].sort((one, other) => rank(one) - rank(other));
	const [type = 'null', ...others] = types;
	const records = samples.filter(isRecord);
	const elements = samples.filter((sample): sample is unknown[] => Array.isArray(sample)).flat();
	return {
		type: others.length === 0 ? type : types,
		...(records.length === 0 ? {} : { properties: propertiesOf(records) }),
		...(elements.length === 0 ? {} : { items: schemaOf(elements) }),
	};
}

function propertiesOf(records: IDataObject[]): Record<string, JsonSchema> {
	const fields = commonNames(records).map((name) => [name, schemaOf(valuesOf(records, name))]);
	return Object.fromEntries(fields) as Record<string, JsonSchema>;
}

/** The names that every record has, because a field in the schema must always be present. */
function commonNames(records: IDataObject[]): string[] {
	const [first = {}] = records;
	return Object.keys(first).filter((name) => records.every((record) => record[name] !== undefined));
}

function valuesOf(records: IDataObject[], name: string): unknown[] {
	return records.map((record) => record[name]).filter((value) => value !== undefined);
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The editor shows a field with the first of its types. */
function rank(type: string): number {
	return type === 'null' ? 1 : 0;
}
