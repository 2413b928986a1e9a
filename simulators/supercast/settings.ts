import { z } from 'zod';

const count = (fallback: number) => z.number().int().min(0).default(fallback);
const positive = (fallback: number) => z.number().int().min(1).default(fallback);
const on = z.boolean().default(true);
const off = z.boolean().default(false);

/** Headers of a list. `true` and `false` stand for `x` and `none`. */
const pagingHeaders = z
	.preprocess(
		(value) => (value === true ? 'x' : value === false ? 'none' : value),
		z.enum(['x', 'plain', 'total', 'none']),
	)
	.default('x');

const limit = {
	/** Requests to the API in a sliding window. 0 means no limit. */
	rateLimit: count(100),
	rateWindowMs: positive(60_000),
	/** Whether refused requests use up the limit too. */
	countRefused: off,
	/** The header `Retry-After` of a 429. */
	retryAfter: z.enum(['seconds', 'date', 'absent']).default('seconds'),
	/** The delay before each response, after processing. A 429 has no delay. */
	latencyMs: count(0),
	/** If this is above `latencyMs`, the delay of each response is random between the two. */
	latencyMaxMs: count(0),
};

const lists = {
	perPageMax: positive(100),
	/** What to do with a `per_page` above the largest page: send the largest page, or 422. */
	perPageTooLarge: z.enum(['clamp', 'reject']).default('clamp'),
	/**
	 * `x`: X-Page, X-Per-Page, X-Total. `plain`: Page, Per-Page, Total, Link. `total`: only
	 * X-Total.
	 */
	headers: pagingHeaders,
	order: z.enum(['oldest', 'newest', 'unordered']).default('oldest'),
	/**
	 * `name`: under the plural name. `data`: under "data". `each`: each record under the singular
	 * name.
	 */
	wrapLists: z.enum(['none', 'name', 'data', 'each']).default('none'),
};

const records = {
	/**
	 * The format of IDs: numbers, UUIDs, or digits as text. Existing records keep theirs until a
	 * reset.
	 */
	ids: z.enum(['number', 'uuid', 'text']).default('number'),
	/** The format of times: ISO 8601 in UTC or with an offset, or seconds since 1970. */
	dates: z.enum(['utc', 'offset', 'unix']).default('utc'),
	wrapRecords: z.enum(['none', 'name']).default('none'),
	/** Whether to send the fields that the reference calls "All in only". */
	allInFields: on,
	/** The deprecated field `feed_url` of a subscriber. */
	feedUrl: z.enum(['list', 'text', 'absent']).default('list'),
};

const writes = {
	/** The response to a create request with a known email: 422, 409, 200 or 201. */
	onExistingEmail: z.enum(['reject', 'conflict', 'reactivate', 'duplicate']).default('reject'),
	/** Whether a look-up by email ignores upper and lower case. */
	emailLookup: z.enum(['any', 'exact']).default('any'),
	storedEmails: z.enum(['given', 'lowered']).default('given'),
	/** How many milliseconds a new record stays invisible. */
	visibleAfterMs: count(0),
	/** How many milliseconds reads still show a subscriber as before a change or a deletion. */
	staleForMs: count(0),
	/** Which subscriptions of a subscriber with several a change of the feed concerns. */
	feedChanges: z.enum(['all', 'first']).default('all'),
	/** Whether a subscriber who is deleted and created again gets a new UUID and feed address. */
	recreated: z.enum(['new', 'same']).default('new'),
	/** What remains of a subscriber after a DELETE: no record, or a deactivated one. */
	deleted: z.enum(['removed', 'kept']).default('removed'),
	/** Whether a repeated create or delete request gets the same response as the first one. */
	honourIdempotencyKey: off,
	/** The status of successful create requests. */
	createdStatus: z.union([z.literal(201), z.literal(200), z.literal(204)]).default(201),
	/** The status of successful update and delete requests. */
	changedStatus: z.union([z.literal(200), z.literal(204)]).default(200),
	/** Whether a 200 or 201 response to a write request has a body. */
	writeBodies: on,
	/** What to do with a body that is not wrapped in the name of the resource. */
	flatBodies: z.enum(['accept', 'reject']).default('accept'),
	/** Whether to ignore fields that Supercast does not document, or to answer 422. */
	unknownFields: z.enum(['ignore', 'reject']).default('ignore'),
	/** Whether POST /questions exists. */
	createQuestions: on,
};

const answers = {
	/** Which errors are web pages: none, unknown addresses, every 404, or all of them. */
	webPages: z.enum(['never', 'unknownAddress', 'notFound', 'always']).default('never'),
	/**
	 * The body of an error: `message` and `errors`, only `error`, or the fields at the top level.
	 */
	errorBody: z.enum(['message', 'error', 'fields']).default('message'),
	/** Whether the path without `/api` exists. */
	shortPath: on,
	/** Whether `GET /oauth/token/info` exists. */
	tokenInfo: on,
	/** Whether responses have the header `Date`. */
	dateHeader: on,
};

/**
 * What can change while the sandbox runs (`POST /_sandbox/settings`). This includes everything that
 * is inferred about Supercast.
 */
export const settingsSchema = z
	.object({ ...limit, ...lists, ...records, ...writes, ...answers })
	.strict();

/** Every setting, with its value. */
export type Settings = z.output<typeof settingsSchema>;
/** Settings as passed by a caller. All are optional. */
export type GivenSettings = z.input<typeof settingsSchema>;
