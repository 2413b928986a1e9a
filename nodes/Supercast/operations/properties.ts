/** Parameters in n8n's format. What all parameters of a type have in common is here. */

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** A value to choose, as the editor shows it. */
export function choice(value: string, name: string, description: string): INodePropertyOptions {
	return { name, value, description };
}

/** A text. The example is shown while it is empty. */
export function textField(
	name: string,
	displayName: string,
	description: string,
	example?: string,
): INodeProperties {
	const placeholder = example && `e.g. ${example}`;
	return { displayName, name, type: 'string', default: '', description, placeholder };
}

/** A text of several lines. */
export function longTextField(...texts: Parameters<typeof textField>): INodeProperties {
	return { ...textField(...texts), typeOptions: { rows: 4 } };
}

/** A date and time. */
export function dateField(name: string, displayName: string, description: string): INodeProperties {
	return { displayName, name, type: 'dateTime', default: '', description };
}

/** A switch. */
export function switchField(
	name: string,
	displayName: string,
	description: string,
	preset = false,
): INodeProperties {
	return { displayName, name, type: 'boolean', default: preset, description };
}

/** A number, with limits for the editor. */
export function numberField(
	name: string,
	displayName: string,
	description: string,
	{ preset, ...typeOptions }: { preset: number; minValue: number; maxValue?: number },
): INodeProperties {
	return { displayName, name, type: 'number', typeOptions, default: preset, description };
}

/** One of several values. */
export function choiceField(
	name: string,
	displayName: string,
	description: string,
	{ preset, options }: { preset: string; options: INodePropertyOptions[] },
): INodeProperties {
	return { displayName, name, type: 'options', default: preset, description, options };
}

/** A sentence that the editor shows among the parameters. */
export function noticeField(text: string, name = 'notice'): INodeProperties {
	return { displayName: text, name, type: 'notice', default: '' };
}

/** Parameters of which users add those that they need. */
export function collectionField(
	name: string,
	displayName: string,
	placeholder: string,
	options: INodeProperties[],
): INodeProperties {
	return { displayName, name, type: 'collection', placeholder, default: {}, options };
}

/** The fields that name a person. */
export function personFields(
	singular: string,
): Record<'email' | 'firstName' | 'lastName', INodeProperties> {
	return {
		email: textField(
			'email',
			'Email',
			`The email address of the ${singular}`,
			'nathan@example.com',
		),
		firstName: textField('firstName', 'First Name', `The given name of the ${singular}`, 'Nathan'),
		lastName: textField('lastName', 'Last Name', `The family name of the ${singular}`, 'Smith'),
	};
}
