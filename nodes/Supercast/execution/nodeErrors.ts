import {
	NodeApiError,
	NodeOperationError,
	type Failure,
	type INodeExecutionData,
} from 'n8n-workflow';

import { InputError, ServiceError } from '../api/errors/errors';
import type { RequestContext } from '../api/http/send';
import { maskFeedAddresses } from '../operations/output';
import { isTool } from './context';

export type NodeError = NodeApiError | NodeOperationError;

/** What the editor shows about an error: what happened, and what to do next. */
interface ErrorTexts {
	message: string;
	description: string;
}

const MAX_WAIT_HINT = " To change how long the node tries, set the option 'Max Wait (Seconds)'.";

/**
 * Links an error to its item, in n8n's format. n8n stores the errors of an execution, so the result
 * does not include the request, which contains the token. Private feed addresses are masked,
 * because an AI agent or a log may receive the error. The description ends with `note`.
 */
export function toNodeError(
	context: RequestContext,
	error: unknown,
	itemIndex?: number,
	note = '',
): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const node = context.getNode();
	if (!(error instanceof ServiceError || error instanceof InputError)) {
		const unknown = new NodeOperationError(node, error as Error, { itemIndex });
		return Object.assign(unknown, shownAsError(unknown));
	}
	const all = isTool(context)
		? textsForAgent(error, itemIndex, note)
		: textsForPeople(error, itemIndex, note, placeOf(context, itemIndex));
	const texts = isStop(error) ? all : shownAsError(all);
	const { message, description } = texts;
	if (error instanceof InputError) {
		return new NodeOperationError(node, message, { description, itemIndex });
	}
	const nodeError = new NodeApiError(
		node,
		{ ...texts },
		{ ...texts, itemIndex, ...codesOf(error) },
	);
	// n8n replaces a message that contains a word such as EPERM, so restore the original.
	nodeError.message = message;
	return nodeError;
}

/** Whether the execution was stopped, so that n8n should show it as canceled. */
function isStop(error: InputError | ServiceError): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { failure } = error;
	return failure.kind === 'network' && failure.code === 'ERR_CANCELED';
}

/**
 * n8n takes each error whose message contains this word for a stopped execution, shows it in grey
 * without a message, and starts no error workflow (n8n-core 2.41, WorkflowExecute). The word may
 * come from anywhere, such as a status of Stripe or an email.
 */
const STOPPED = 'canceled';

/** Moves words that n8n would misunderstand from the message into the description. */
function shownAsError({
	message,
	description,
}: {
	message: string;
	description?: string | null;
}): ErrorTexts {
	const rest = description ?? '';
	if (!message.includes(STOPPED)) return { message, description: rest };
	const whole = `${message}${/[.!?…]$/.test(message) ? '' : '.'}`;
	return {
		message: message.replace(/\S*canceled\S*/g, '…'),
		description: `In full: ${whole} ${rest}`.trim(),
	};
}

function textsForPeople(
	error: InputError | ServiceError,
	itemIndex: number | undefined,
	note: string,
	place: string,
): ErrorTexts {
	// Only a node that processes items has this option.
	const isRepeated = itemIndex !== undefined && error instanceof ServiceError && error.attempts > 1;
	const hint = isRepeated ? MAX_WAIT_HINT : '';
	return {
		message: maskFeedAddresses(`${error.message}${place}`),
		description: maskFeedAddresses(`${error.description}${hint} ${note}`.trim()),
	};
}

/** Some agents read only the message, and others read both. So the message contains everything. */
function textsForAgent(
	error: InputError | ServiceError,
	itemIndex: number | undefined,
	note: string,
): ErrorTexts {
	const { message, description } = textsForPeople(error, itemIndex, note, '');
	return { message: `${message}. ${description}`, description: '' };
}

/**
 * Names the item, if there are several. n8n counts items from 0, and adds `[item 2]` to errors
 * without these words. People count from 1.
 */
function placeOf(context: RequestContext, itemIndex: number | undefined): string {
	if (itemIndex === undefined || !('getInputData' in context)) return '';
	const { length } = context.getInputData();
	return length > 1 ? ` [item ${itemIndex}, the ${ordinal(itemIndex + 1)} of ${length}]` : '';
}

/** Such as "1st", "2nd", "11th" or "21st". */
function ordinal(number: number): string {
	const endings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
	const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(number);
	return `${number}${endings[rule] ?? 'th'}`;
}

/**
 * The output for a failed item. It has no error object. With one, n8n would neither move the item
 * to the error output nor add the input fields.
 */
export function failedItem(
	error: NodeError,
	pairedItem: INodeExecutionData['pairedItem'],
): INodeExecutionData {
	return { json: { error: inOneLine(error) }, pairedItem };
}

/**
 * What the editor shows above the output if items failed and the node continued. Their rows have
 * only the field `error`, so n8n's table shows "undefined" in all other columns.
 * @param who What failed, with its number: the subject of the sentence.
 * @param failures In the order of the items.
 */
export function hintOfFailures(who: string, failures: NodeError[]): string | undefined {
	const [first, ...later] = failures;
	if (first === undefined) return undefined;
	const others = later.length === 0 ? '' : ' Each failed item has its own reason.';
	return `${who} failed: ${inOneLine(first)}${others}`;
}

function inOneLine({ message, description }: NodeError): string {
	const remedy = description ? `. ${description.replace(/\n/g, ' ')}` : '';
	return `${message}${remedy}`;
}

/**
 * 401 if Supercast refused a token. `failure` tells n8n 2.37 and later whether the credential is
 * invalid, or whether waiting helps.
 */
function codesOf({ failure }: ServiceError): { httpCode?: string; failure?: Failure } {
	if (failure.kind === 'token' && !['notSent', 'unavailable'].includes(failure.problem)) {
		return { httpCode: '401', failure: { cause: 'credential-invalid' } };
	}
	if (!('status' in failure)) return {};
	const httpCode = String(failure.status);
	if (failure.kind !== 'status' || failure.status !== 429) return { httpCode };
	return { httpCode, failure: { cause: 'rate-limited', retryAfterMs: failure.retryAfterMs } };
}
