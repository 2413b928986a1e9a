/** Parameters in n8n's format. What all parameters of a type have in common is here. */

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** What a parameter has besides its name and label. */
interface Details extends Partial<INodeProperties> {
	/** Shown while the parameter is empty. */
	example?: string;
}

/** Returns the function that makes parameters of one type. */
function fieldOf(
	type: INodeProperties['type'],
	preset: INodeProperties['default'],
	usual: Details = {},
): (name: string, displayName: string, details: Details) => INodeProperties {
	return (name, displayName, { example, ...details }) => {
		const placeholder = example && `e.g. ${example}`;
		return { displayName, name, type, default: preset, placeholder, ...usual, ...details };
	};
}

export const textField = fieldOf('string', '');
export const longTextField = fieldOf('string', '', { typeOptions: { rows: 4 } });
export const dateField = fieldOf('dateTime', '');
export const switchField = fieldOf('boolean', false);
export const numberField = fieldOf('number', 0);
/** One of several values. */
export const choiceField = fieldOf('options', '');

/** A value to choose, as the editor shows it. */
export function choice(value: string, name: string, description: string): INodePropertyOptions {
	return { name, value, description };
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
		email: textField('email', 'Email', {
			example: 'nathan@example.com',
			description: `The email address of the ${singular}`,
		}),
		firstName: textField('firstName', 'First Name', {
			example: 'Nathan',
			description: `The given name of the ${singular}`,
		}),
		lastName: textField('lastName', 'Last Name', {
			example: 'Smith',
			description: `The family name of the ${singular}`,
		}),
	};
}
