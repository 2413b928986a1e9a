import type { GivenSettings } from './settings';

/**
 * Sets of settings: services that keep to what is documented and differ in what is not. What is
 * right against all of them relies on nothing that was merely inferred.
 */
export const PERSONALITIES = {
	/** What the public documents say, and nothing beyond. */
	documented: { allInFields: false, createQuestions: false, tokenInfo: false, shortPath: true },
	/** Refuses whatever is not exactly right, and shows as little as it can. */
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
	/** Takes everything, and says little about it. */
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
	/** What a Rails application does when nobody decides otherwise. */
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
	/** Whatever makes life hard, without breaking what is documented about errors and the limit. */
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
