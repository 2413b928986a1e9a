/** One response, read completely. */
export interface Answer {
	/** 0 if there was no response to a read request. */
	status: number;
	/** Header names in lower case. */
	headers: Record<string, string>;
	/** Parsed JSON. Undefined for a web page, or if there is no body. */
	json: unknown;
	/** The format, such as `JSON`. Without a response, the reason: `no response (ECONNRESET)`. */
	form: string;
}

/** Stands for a response that did not arrive. */
export const noAnswer = (reason: string): Answer => ({
	status: 0,
	headers: {},
	json: undefined,
	form: `no response (${reason})`,
});

/** A response in words: its status and its format. */
export const inWords = ({ status, form }: Answer): string =>
	status === 0 ? form : `${status}, ${form}`;

/** Whether a response says that a record does not exist. */
export const isAbsent = ({ status }: Pick<Answer, 'status'>): boolean =>
	[404, 410].includes(status);

/** Whether a response says something about Supercast. An outage or a used-up limit does not. */
export const isTelling = ({ status }: Answer): boolean => ![0, 429, 502, 503, 504].includes(status);
