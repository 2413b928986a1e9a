import type { FactId } from '../../probe/facts';
import type { Verdict } from '../../probe/finding';
import type { Settings } from '../../sandbox';

const say = (condition: boolean): Verdict => (condition ? 'holds' : 'does not hold');

/**
 * The findings that the probe must have with these settings, computed without the probe's own code.
 */
export function truth(
	settings: Readonly<Settings>,
	{ write, limit }: { write: boolean; limit: boolean },
): Partial<Record<FactId, Verdict>> {
	const ofWriting = write ? writing(settings) : UNWRITTEN;
	const { headers, perPageTooLarge, perPageMax, webPages } = settings;
	const isCapAsked = perPageTooLarge === 'reject' || perPageMax >= 100;
	return {
		'token-required': 'holds',
		'token-scope': say(settings.tokenInfo),
		'both-paths': say(settings.shortPath),
		'both-hosts': 'unknown',
		'rate-limit': limit ? 'holds' : 'unknown',
		'retry-after': limit ? say(settings.retryAfter !== 'absent') : 'unknown',
		'missing-record': say(webPages === 'never' || webPages === 'unknownAddress'),
		'wrong-address': say(webPages === 'never'),
		'error-message': webPages === 'always' ? 'unknown' : say(settings.errorBody === 'message'),
		'list-form': say(settings.wrapLists === 'none' || settings.wrapLists === 'each'),
		'list-elements': say(settings.wrapLists !== 'each'),
		'paging-headers': say(headers === 'x'),
		paging: 'holds',
		'largest-page': say(isCapAsked),
		'past-the-end': 'holds',
		order: say(settings.order !== 'unordered'),
		'record-form': say(settings.wrapRecords === 'none'),
		'found-by-email': 'holds',
		'found-by-uuid': 'holds',
		'other-capitals': say(settings.emailLookup === 'any'),
		'customer-id-names-nobody': 'unknown',
		uuids: 'holds',
		ids: say(settings.ids === 'number'),
		'episode-by-id': 'holds',
		times: say(settings.dates !== 'unix'),
		states: 'holds',
		'subscriber-fields': 'holds',
		'all-in-fields': say(settings.allInFields),
		'feed-url-list': settings.feedUrl === 'absent' ? 'unknown' : say(settings.feedUrl === 'list'),
		'subscription-address': 'holds',
		'feed-state': 'holds',
		'episode-fields': 'holds',
		'creator-fields': 'holds',
		'question-fields': 'holds',
		'role-fields': 'holds',
		'invite-fields': 'holds',
		'usage-alert-fields': 'holds',
		'channel-fields': 'holds',
		...ofWriting,
	};
}

type WriteTruth = ReturnType<typeof writing>;

function writing(settings: Readonly<Settings>) {
	const { createdStatus, changedStatus, writeBodies, onExistingEmail, deleted } = settings;
	const isSilent = createdStatus === 204 || !writeBodies;
	const isAlike = isSilent && onExistingEmail === 'duplicate';
	const key: Verdict = isAlike ? 'unknown' : say(settings.honourIdempotencyKey);
	const comesBack: Verdict = deleted === 'kept' ? 'unknown' : say(settings.recreated === 'new');
	return {
		'wrapped-json': 'holds',
		created: say(createdStatus === 201 && writeBodies),
		'visible-at-once': say(settings.visibleAfterMs === 0),
		'known-email': say(onExistingEmail === 'reject'),
		'idempotency-key': key,
		changed: say(changedStatus === 200 && writeBodies),
		'ignore-usage-alerts': 'holds',
		'time-zone': settings.allInFields ? 'holds' : 'unknown',
		suspended: 'holds',
		activated: 'holds',
		deactivated: 'holds',
		'same-address': 'holds',
		'create-reactivates': say(onExistingEmail === 'reactivate'),
		deleted: say(deleted === 'removed'),
		'deleted-again': deleted === 'kept' ? 'unknown' : 'holds',
		'new-uuid': comesBack,
		'new-address': comesBack,
	} satisfies Partial<Record<FactId, Verdict>>;
}

const UNWRITTEN = Object.fromEntries(
	[
		'wrapped-json',
		'created',
		'visible-at-once',
		'known-email',
		'idempotency-key',
		'changed',
		'ignore-usage-alerts',
		'time-zone',
		'suspended',
		'activated',
		'deactivated',
		'same-address',
		'create-reactivates',
		'deleted',
		'deleted-again',
		'new-uuid',
		'new-address',
	].map((id) => [id, 'unknown']),
) as Record<keyof WriteTruth, Verdict>;
