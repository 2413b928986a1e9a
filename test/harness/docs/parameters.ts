import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { optionsCollection } from '../../../nodes/Supercast/operations/properties';
import type { OperationDescription } from '../../../nodes/Supercast/operations/types';
import { resources } from '../../../nodes/Supercast/resources';

/** A shorter description only repeats the label. */
const FEWEST_WORDS = 7;

/** A parameter, as a line of a list. Without a line, the label says it all. */
export interface Parameter {
	name: string;
	label: string;
	line?: string;
}

/** Parameters of several resources, which the page describes once, and in which operations each is. */
const WHERE: Record<string, string> = {
	subscriber: 'In Get, Update and Delete of a subscriber, and in all operations of Feed.',
	ifMissing:
		'In **Subscriber: Delete** and in **Feed: Activate**, **Deactivate** and **Suspend**. With **Succeed**, the output of a missing subscriber has `alreadyMissing: true`.',
	returnAll: 'In **Get Many**.',
	limit: 'In **Get Many**.',
	clearFields: 'In **Update**, except Channel: Update.',
	otherFields: 'In **Create**, **Update**, **Create or Update**, **Set Access** and **Sync**.',
};

export const COMMON = Object.keys(WHERE);

/** The editor shows the others. The pages about Sync and Set Access say why. */
function firstSentenceOf(text: string): string {
	return sentence(text.split('. ')[0] ?? '');
}

export function sentence(text: string): string {
	return `${text.replace(/\.$/, '')}.`;
}

/** The common parameters, each with the text that it has first, and where it is. */
export function commonParameters(): Parameter[] {
	const all = Object.values(resources).flatMap(({ operations }) =>
		Object.values<OperationDescription>(operations).flatMap(parametersIn),
	);
	return COMMON.flatMap((name) => {
		const found = all.find((one) => one.name === name);
		if (found?.line === undefined) return [];
		// The values and examples of these two are different for each resource.
		const isOfOneResource = name === 'clearFields' || name === 'otherFields';
		const text = isOfOneResource
			? found.line.replace(/(\. Values: |, for example ).*$/, '.')
			: found.line;
		return [{ ...found, line: `${text} ${WHERE[name]}` }];
	});
}

/** The lines that more than one operation has. */
export function sharedIn(lists: Parameter[][]): Set<string> {
	const lines = lists.flatMap((list) =>
		list.flatMap(({ name, line }) => (line === undefined || COMMON.includes(name) ? [] : [line])),
	);
	return new Set(lines.filter((line, index) => lines.indexOf(line) !== index));
}

export function parametersIn(operation: OperationDescription): Parameter[] {
	const properties = [...operation.properties, ...ownOptions(operation)];
	return properties.flatMap((property) => parametersOf(property));
}

/** The operation's own options, without those that every operation has. */
function ownOptions({ options = [] }: OperationDescription): INodeProperties[] {
	if (options.length === 0) return [];
	return [{ ...optionsCollection(), options }];
}

export function linesOf(parameters: Parameter[]): string[] {
	return parameters.flatMap(({ line }) => line ?? []);
}

export function parametersOf(property: INodeProperties, parent?: INodeProperties): Parameter[] {
	const { name, displayName: label, type, options = [] } = property;
	if (type === 'notice') return [];
	if (type === 'collection') {
		return (options as INodeProperties[]).flatMap((option) => parametersOf(option, property));
	}
	const text = textOf(property, parent);
	return text === ''
		? [{ name, label }]
		: [{ name, label, line: `- **${label}** (\`${name}\`). ${text}` }];
}

/** What the page says about a parameter. Empty if that would only repeat the label. */
function textOf(property: INodeProperties, parent?: INodeProperties): string {
	const { description = '', modes = [], options = [] } = property;
	const choices = options.map((option) => option as INodePropertyOptions);
	const values = choices.map((choice) => `${choice.name} (\`${String(choice.value)}\`)`);
	// Longer lists, such as the time zones, appear only in the editor.
	const isListed = values.length > 0 && values.length <= 20;
	const ways = modes.map(({ displayName }) => displayName).join(', ');
	// The description of a locator only lists its modes.
	const sentences = [
		...(modes.length > 0 || description === '' ? [] : [firstSentenceOf(description)]),
		...(ways === '' ? [] : [`Modes: ${ways}.`]),
		...(isListed ? [`Values: ${values.join(', ')}.`] : []),
		...(hasDefault(property, parent) ? [`Default: ${Number(property.default)}.`] : []),
	];
	const text = sentences.join(' ');
	const isShort = text.split(' ').length < FEWEST_WORDS && modes.length === 0 && !isListed;
	return isShort ? '' : text;
}

/** Whether a number applies if the user does not set it. An option may have no effect until the user sets it. */
function hasDefault(
	{ type, description, default: preset }: INodeProperties,
	parent?: INodeProperties,
): boolean {
	return (
		type === 'number' && preset !== 0 && !(parent && /without this option/i.test(description ?? ''))
	);
}
