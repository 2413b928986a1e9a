import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { requireNumber } from './validation';
import { isBlank } from './texts';

interface FieldDetails extends Partial<INodeProperties> {
	/** Shown while the parameter is empty. */
	example?: string;
}

function fieldOf(
	type: INodeProperties['type'],
	preset: INodeProperties['default'],
	usual: FieldDetails = {},
): (name: string, displayName: string, details: FieldDetails) => INodeProperties {
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
export const choiceField = fieldOf('options', '');
export const multiChoiceField = fieldOf('multiOptions', []);

export function choice(value: string, name: string, description: string): INodePropertyOptions {
	return { name, value, description };
}

/** Options from values and their descriptions. Each label consists of the value's words. */
export function choices(texts: Readonly<Record<string, string>>): INodePropertyOptions[] {
	return Object.entries(texts).map(([value, description]) => {
		const words = value.replace(/_|(?=[A-Z])/g, ' ');
		const label = words.replace(/\b\w/g, (letter) => letter.toUpperCase());
		return choice(value, label, description);
	});
}

/** A sentence that the editor shows among the parameters. */
export function noticeField(text: string, name = 'notice'): INodeProperties {
	return { displayName: text, name, type: 'notice', default: '' };
}

/** Optional parameters that users add as needed, sorted by label. */
export function collectionField(
	name: string,
	displayName: string,
	placeholder: string,
	options: INodeProperties[],
): INodeProperties {
	const sorted = [...options].sort((a, b) => a.displayName.localeCompare(b.displayName));
	return { displayName, name, type: 'collection', placeholder, default: {}, options: sorted };
}

export function personFields(singular: string) {
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

export const authenticationProperty: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	options: [
		{ name: 'Access Token', value: 'accessToken' },
		{ name: 'OAuth2', value: 'oAuth2' },
	],
	default: 'accessToken',
};

const MOST_PARALLEL_REQUESTS = 50;

/** In the collection Options of every operation. */
const requestOptions: INodeProperties[] = [
	numberField('maxWaitSeconds', 'Max Wait (Seconds)', {
		default: 600,
		typeOptions: { minValue: 0 },
		description:
			'How long the node retries a request, if a retry is safe. Time spent in the queue before the first try does not count.',
	}),
	numberField('parallelRequests', 'Parallel Requests', {
		// With this number, a burst of 100 requests takes 8 s if each response takes 2 s.
		default: 32,
		typeOptions: { minValue: 1, maxValue: MOST_PARALLEL_REQUESTS },
		description:
			'How many items, or changes of Sync, to process at the same time. If an item fails and On Error is Stop Workflow, the node still completes the other items in progress. The number of requests per minute does not change.',
	}),
];

/** The collection Options: the operation's own options, and the request options. */
export function optionsCollection(own: INodeProperties[] = []): INodeProperties {
	return collectionField('options', 'Options', 'Add Option', [...own, ...requestOptions]);
}

/** Reads how to send the requests of a run. Throws InputError if a value is not a number. */
export function readRequestOptions(given: IDataObject) {
	const [seconds = 0, parallel = 1] = requestOptions.map(({ name, displayName, default: usual }) =>
		requireNumber(isBlank(given[name]) ? usual : given[name], displayName, { minValue: 0 }),
	);
	const parallelRequests = Math.min(MOST_PARALLEL_REQUESTS, Math.max(1, Math.floor(parallel)));
	return { maxWaitMs: seconds * 1000, parallelRequests };
}
