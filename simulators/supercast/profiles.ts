import type { GivenSettings } from './settings';

/**
 * Sets of settings. All of them follow the documentation of Supercast, and differ where it says
 * nothing. Code that works with all of them does not rely on inferred facts.
 */
export const PROFILES = {
	/** Only what the public documents describe. */
	documented: { allInFields: false, createQuestions: false, tokenInfo: false, shortPath: true },
	/** Refuses everything that is not exactly right, and returns as little as possible. */
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
	/** Accepts everything, but returns little about it. */
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
	 * Combines everything that makes a client's work hard, but follows the documentation of errors
	 * and the limit.
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

export type ProfileName = keyof typeof PROFILES;
