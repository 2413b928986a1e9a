import type { Settings } from '../settings';

/** A response that is not a success. */
export class ApiError extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly errors?: Record<string, string[]>,
		/** Whether the address does not exist, rather than the record. */
		readonly isUnknownAddress = false,
	) {
		super(message);
	}

	/**
	 * `message` comes from the vendor's client. `errors` is inferred (Rails), and present only with
	 * 422.
	 */
	body(shape: Settings['errorBody'] = 'message'): object {
		const { message, errors, status } = this;
		if (shape === 'error') return { error: message };
		if (shape === 'fields') return errors ?? { status, error: message };
		return errors ? { message, errors } : { message };
	}
}

/** An error as a web page, which an application or a gateway may send. */
export function errorPage({ status, message }: ApiError): string {
	const title = `${message} (${status})`;
	return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
}

/** 400: the request could not be parsed (specification, section 7). */
export const malformed = (what: string): ApiError =>
	new ApiError(400, `The request is malformed: ${what}`);

/** 404 for a record that does not exist (specification, section 7). */
export const notFound = (what: string): ApiError => new ApiError(404, `${what} not found`);

/** 404 for an address that does not exist (specification, section 7). */
export const unknownUrl = (): ApiError =>
	new ApiError(404, 'The requested URL does not exist', undefined, true);

/** 422 with one invalid field (specification, section 7; `errors` as Rails writes it). */
export function invalid(field: string, problem: string, status = 422): ApiError {
	const errors = { [field]: [problem] };
	return new ApiError(status, summary(errors), errors);
}

/** The sentence that Rails writes for field errors. */
export function summary(errors: Record<string, string[]>): string {
	const sentences = Object.entries(errors).flatMap(([field, problems]) =>
		problems.map((problem) => `${humanize(field)} ${problem}`),
	);
	return `Validation failed: ${sentences.join(', ')}`;
}

function humanize(field: string): string {
	const words = field.replaceAll('_', ' ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}
