import { parseArgs } from 'node:util';
import { z } from 'zod';
import { describeIssues, optionsSchema, type SandboxOptions } from './options';

type Kind = 'list' | 'number' | 'string' | 'switch';

interface Flag {
	option: keyof SandboxOptions;
	kind: Kind;
	/** The value that a switch sets. */
	value?: boolean;
}

/** The type of value that an option takes. */
function kindOf(schema: z.ZodTypeAny): Kind {
	if (schema instanceof z.ZodDefault) return kindOf(schema.removeDefault() as z.ZodTypeAny);
	if (schema instanceof z.ZodOptional) return kindOf(schema.unwrap() as z.ZodTypeAny);
	if (schema instanceof z.ZodBoolean) return 'switch';
	if (schema instanceof z.ZodArray) return 'list';
	// The only unions are unions of statuses.
	return schema instanceof z.ZodNumber || schema instanceof z.ZodUnion ? 'number' : 'string';
}

const dashed = (name: string): string => name.replace(/[A-Z]/g, '-$&').toLowerCase();

/**
 * The name of an option's flag: in lower case, with dashes, and with `no-` for options that are on
 * by default.
 */
function flagsOfOptions(): Record<string, Flag> {
	const options = Object.entries(optionsSchema.shape).filter(([name]) => name !== 'now');
	const flags = options.map(([name, schema]): [string, Flag] => {
		const option = name as keyof SandboxOptions;
		const kind = kindOf(schema);
		const isOn = kind === 'switch' && schema.parse(undefined) === true;
		return [isOn ? `no-${dashed(name)}` : dashed(name), { option, kind, value: !isOn }];
	});
	return Object.fromEntries(flags);
}

const { headers, 'redirect-uris': redirectUris, ...others } = flagsOfOptions();

/** Every flag of the command line, with the option that it sets and how to read its value. */
const FLAGS: Record<string, Flag | undefined> = {
	...others,
	'paging-headers': headers,
	'no-paging-headers': { option: 'headers', kind: 'switch', value: false },
	'redirect-uri': redirectUris,
};

function readFlag(name: string, value: string | boolean | Array<string | boolean>): unknown {
	const flag = FLAGS[name];
	if (flag?.kind === 'switch') return flag.value;
	if (flag?.kind !== 'number') return value;
	if (typeof value !== 'string' || !/^[0-9]+$/.test(value)) {
		throw new Error(`--${name} takes a whole number, not "${String(value)}"`);
	}
	return Number(value);
}

/** Turns the command line into options. The message of an error is one clear sentence. */
export function readFlags(args: string[]): SandboxOptions {
	const { values } = parseArgs({
		args,
		strict: true,
		allowPositionals: false,
		options: Object.fromEntries(
			Object.entries(FLAGS).map(([name, flag]) => [
				name,
				{
					type: flag?.kind === 'switch' ? 'boolean' : 'string',
					multiple: flag?.kind === 'list',
				} as const,
			]),
		),
	});
	const options: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(values)) {
		const option = FLAGS[name]?.option;
		if (option === undefined || value === undefined) continue;
		options[option] = readFlag(name, value);
		const parsed = optionsSchema.pick({ [option]: true } as { port: true }).safeParse({
			[option]: options[option],
		});
		if (!parsed.success) throw new Error(`--${name} is invalid: ${describeIssues(parsed.error)}`);
	}
	return options;
}
