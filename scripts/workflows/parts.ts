/** A node without its final position. `at` is its column and row. */
export interface Part {
	name: string;
	type: string;
	version: number;
	at: [column: number, row: number];
	parameters?: Record<string, unknown>;
	/** Settings of the node other than its parameters, such as `onError`. */
	more?: Record<string, unknown>;
}

/** A sticky note around the nodes of some columns and rows. */
export interface Note {
	text: string;
	columns: [first: number, last: number];
	rows?: [first: number, last: number];
	color: number;
}

/** A wire from a node, or from one of its outputs, to another node. */
export type Wire = [from: string | [node: string, output: number], to: string, kind?: string];

/** A workflow before it is laid out. */
export interface Plan {
	/** The name of the file, without `.json`. */
	file: string;
	id: string;
	name: string;
	parts: Part[];
	notes: Note[];
	wires: Wire[];
	settings?: Record<string, unknown>;
}

/** The colors of the notes, by purpose. */
export const COLOR = { start: 7, settings: 3, ask: 5, act: 4 } as const;

/** IDs by which the workflow files refer to each other. An import from a file assigns new IDs. */
export const ID = { setAccess: 'supercastSetAccess', onError: 'supercastOnError' } as const;

/** Workflow settings that run On Error after a failed execution. */
export const toldOnError = { errorWorkflow: ID.onError };

/** A condition that is met if the expression is true. */
export function condition(expression: string): Record<string, unknown> {
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
	const operator = { type: 'boolean', operation: 'true', singleValue: true };
	const only = { id: 'condition', leftValue: `={{ ${expression} }}`, rightValue: '', operator };
	return { options, conditions: [only], combinator: 'and' };
}

/** An If node. */
export function question(name: string, at: Part['at'], expression: string): Part {
	const parameters = { conditions: condition(expression), options: {} };
	return { name, type: 'n8n-nodes-base.if', version: 2.2, at, parameters };
}

/** A Switch node, with an output for each name. Drops items that match no output. */
export function choice(name: string, at: Part['at'], outputs: Record<string, string>): Part {
	const values = Object.entries(outputs).map(([outputKey, expression]) => ({
		conditions: condition(expression),
		renameOutput: true,
		outputKey,
	}));
	const parameters = { rules: { values }, options: {} };
	return { name, type: 'n8n-nodes-base.switch', version: 3.2, at, parameters };
}

/** The node in which users fill in their own settings. */
export function settings(values: Record<string, number | string | boolean>, at: Part['at']): Part {
	const assignments = Object.entries(values).map(([name, value]) => ({
		id: name,
		name,
		value,
		type: typeof value,
	}));
	const parameters = { assignments: { assignments }, includeOtherFields: true, options: {} };
	return { name: 'Settings', type: 'n8n-nodes-base.set', version: 3.4, at, parameters };
}

/** A Supercast node. */
export function supercast(
	name: string,
	at: Part['at'],
	parameters: Record<string, unknown>,
	more?: Record<string, unknown>,
): Part {
	const all = { authentication: 'accessToken', ...parameters };
	return { name, type: 'n8n-nodes-supercast.supercast', version: 1, at, parameters: all, more };
}

/** Selects a subscriber by one of the locator's modes. */
export function subscriber(mode: 'customerId' | 'email' | 'uuid', value: string) {
	return { subscriber: { __rl: true, mode, value } };
}

/** The text of an expression for a value of the node Settings. */
export function setting(name: string): string {
	return `$('Settings').first().json.${name}`;
}

/** A plain-text email. If n8n cannot send it, n8n tries up to five times. */
export function email(
	name: string,
	at: Part['at'],
	mail: { to?: string; subject: string; text: string },
): Part {
	const parameters = {
		fromEmail: `={{ ${setting('mailFrom')} }}`,
		toEmail: mail.to ?? `={{ ${setting('tellWhom')} }}`,
		subject: mail.subject,
		emailFormat: 'text',
		text: mail.text,
		options: { appendAttribution: false },
	};
	const more = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 };
	return { name, type: 'n8n-nodes-base.emailSend', version: 2.1, at, parameters, more };
}

/** A Code node. */
export function code(name: string, at: Part['at'], jsCode: string): Part {
	return { name, type: 'n8n-nodes-base.code', version: 2, at, parameters: { jsCode } };
}

/**
 * Calls Set Access with unchanged items. Users select the workflow after the import, because n8n
 * gives each imported workflow a new ID. An ID in the file would look like a valid selection.
 */
export function callSetAccess(at: Part['at'], parameters: Record<string, unknown> = {}): Part {
	const workflowId = { __rl: true, mode: 'list', value: '' };
	return {
		name: 'Set Access',
		type: 'n8n-nodes-base.executeWorkflow',
		version: 1.2,
		at,
		parameters: {
			workflowId,
			workflowInputs: { mappingMode: 'defineBelow', value: {} },
			...parameters,
		},
	};
}

/** The start of a workflow that others call. */
export function whenCalled(name: string, at: Part['at']): Part {
	const parameters = { inputSource: 'passthrough' };
	return { name, type: 'n8n-nodes-base.executeWorkflowTrigger', version: 1.1, at, parameters };
}

/** Starts a workflow every day, or on one weekday, at a fixed time. */
export function schedule(name: string, at: Part['at'], interval: Record<string, unknown>): Part {
	const parameters = { rule: { interval: [interval] } };
	return { name, type: 'n8n-nodes-base.scheduleTrigger', version: 1.2, at, parameters };
}
