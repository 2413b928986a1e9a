/** The output schemas of the operations, made from the results of the engine test cases. */

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { resources } from '../nodes/Supercast/resources';
import type { OperationDescription } from '../nodes/Supercast/operations/types';
import { isRecord } from '../nodes/Supercast/api/json';
import type { Sandbox } from '../sandbox';
import { caseOf, openSandbox, runCase, startAnew } from './runCases';

/** JSON Schema of a value, as far as n8n reads it. */
export interface JsonSchema {
	type: string | string[];
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
}

/** Schemas of one item of the output, by the path of their files, such as `feed/get`. */
export async function outputSchemas(): Promise<Map<string, JsonSchema>> {
	const sandbox = await openSandbox();
	const schemas = new Map<string, JsonSchema>();
	for (const [resource, { operations }] of Object.entries(resources)) {
		const outputs = new Map<string, IDataObject[]>();
		for (const [key, operation] of Object.entries<OperationDescription>(operations)) {
			outputs.set(key, await outputsOf(resource, key, operation, sandbox));
		}
		// A field that is empty in the samples of one operation has a value in those of another.
		const types = schemaOf([...outputs.values()].flat()).properties ?? {};
		for (const [key, samples] of outputs) {
			const names = Object.keys(schemaOf(samples).properties ?? {});
			const properties = Object.fromEntries(names.map((name) => [name, types[name]!]));
			schemas.set(`${resource}/${key}`, { type: 'object', properties });
		}
	}
	await sandbox.close();
	return schemas;
}

/**
 * The output of an operation for the items of its case. Also for a missing record, if it may be
 * missing.
 */
export async function outputsOf(
	resource: string,
	operation: string,
	{ options = [] }: OperationDescription,
	sandbox: Sandbox,
): Promise<IDataObject[]> {
	const tried = caseOf(resource, operation);
	await startAnew(tried, sandbox);
	const more: INodeParameters = operation === 'getAll' ? { returnAll: true } : {};
	const items = [...tried.items(sandbox), ...(tried.more?.(sandbox) ?? [])];
	const runs = items.map((item) => ({ item, more }));
	if (options.some(({ name }) => name === 'ifMissing')) {
		const item = tried.failing?.item ?? {};
		runs.push({ item, more: { options: { ifMissing: 'succeed' } } });
	}
	const outputs: IDataObject[] = [];
	for (const run of runs) {
		const { output, error } = await runCase(sandbox, { resource, operation, ...run });
		if (error !== undefined) throw new Error(`${resource}: ${operation}`, { cause: error });
		outputs.push(...output.map(({ json }) => json));
	}
	return outputs;
}

/** A schema that all samples match. */
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
	const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
	const values = (name: string) =>
		records.map((record) => record[name]).filter((value) => value !== undefined);
	return Object.fromEntries(names.map((name) => [name, schemaOf(values(name))]));
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The editor shows a field under the first of its types. */
function rank(type: string): number {
	return type === 'null' ? 1 : 0;
}
