import type { GivenSettings } from './settings';

/**
 * Sets of settings. They all keep to what is documented about Supercast, and differ in the rest.
 * Code that works against all of them does not rely on inferred facts.
 */
export const PERSONALITIES = {
	/** Only what the public documents say. */
	documented: { allInFields: false, createQuestions: false, tokenInfo: false, shortPath: true },
	/** Refuses everything that is not exactly right, and shows as little as possible. */
	strict: {
		allInFields: false,
		countRefused: true,
		createQuestions: false,
		emailLookup: 'exact',
		flatBodies: 'reject',
		ids: 'uuid',
		order: 'newest',
		perPageMax: 100,
		perPageTooLarge: 'reject',
		retryAfter: 'absent',
		shortPath: false,
		tokenInfo: false,
		unknownFields: 'reject',
	},
	/** Accepts everything, and says little about it. */
	sloppy: {
		changedStatus: 200,
		createdStatus: 200,
		errorBody: 'error',
		feedUrl: 'text',
		headers: 'none',
		ids: 'text',
		onExistingEmail: 'duplicate',
		order: 'unordered',
		perPageMax: 30,
		webPages: 'unknownAddress',
		writeBodies: false,
	},
	/** The defaults of a Rails application. */
	rails: {
		allInFields: false,
		changedStatus: 204,
		dates: 'offset',
		errorBody: 'fields',
		feedUrl: 'absent',
		headers: 'plain',
		onExistingEmail: 'reactivate',
		order: 'newest',
		perPageMax: 25,
		retryAfter: 'date',
		shortPath: false,
		storedEmails: 'lowered',
		webPages: 'unknownAddress',
		wrapRecords: 'name',
		wrapLists: 'name',
	},
	/**
	 * Everything that makes life hard, without breaking what is documented about errors and the
	 * limit.
	 */
	hostile: {
		allInFields: false,
		changedStatus: 204,
		countRefused: true,
		createQuestions: false,
		createdStatus: 204,
		dates: 'offset',
		emailLookup: 'exact',
		errorBody: 'error',
		feedUrl: 'absent',
		headers: 'total',
		honourIdempotencyKey: true,
		ids: 'uuid',
		onExistingEmail: 'conflict',
		order: 'unordered',
		perPageMax: 7,
		recreated: 'same',
		retryAfter: 'absent',
		shortPath: false,
		tokenInfo: false,
		visibleAfterMs: 1_500,
		webPages: 'unknownAddress',
		wrapLists: 'data',
		wrapRecords: 'name',
	},
} as const satisfies Record<string, GivenSettings>;

export type PersonalityName = keyof typeof PERSONALITIES;
