/**
 * What to change in this package if a fact turns out to be wrong. A name that begins with `#` is
 * a function or a constant of the package. The probe adds its file.
 */
export const changes = {
	'token-required':
		'Let `#isUnauthorized` recognize the other status. Also add this status to `#keyOfStatus`, which chooses messages.',
	'both-paths':
		"In **Base URL**, enter the path that works. If `/api/v1` doesn't work, also change the default addresses `#SHARED_BASE_URL` and `#CHANNEL_BASE_URL`.",
	'both-hosts':
		"In **Base URL**, enter the host that works. If only the channel's own host works, also change the addresses in `#SHARED_BASE_URL` and `#SupercastOAuth2Api`.",
	'rate-limit':
		'In **Requests per Minute**, enter the number that Supercast allows, and change the default in `#requestsPerMinuteField`. If Supercast sent no 429, nothing has to change.',
	'retry-after':
		'If there is no header, nothing has to change. If the header has another form, let `#readRetryAfter` read it.',
	'date-header':
		"If the clock of n8n's server is right, nothing has to change. Without the header, the node relies on this clock.",
	'missing-record':
		"In `#parseErrorResponse`, turn the other status or the web page into a missing record (404). Until then, items about people whom Supercast doesn't know fail.",
	'wrong-address':
		'If Supercast responds with a web page and 404, nothing has to change. If it responds with another status, add this status to `#keyOfStatus`, which chooses messages.',
	'error-message': 'Let `#serviceWords` read error messages from the field that the probe found.',
	'list-form':
		"Let `#validateBody` read the field that contains the list. If the field is `data` or has the resource's plural name, nothing has to change.",
	'list-elements':
		"Remove the wrapper of each record in `#validateBody`. If the wrapper is a field with the resource's singular name, nothing has to change.",
	'paging-headers':
		"If the headers have other names, let `#pageReader` read these names. Without such headers, Sync can't notice that a list changes while Sync reads it.",
	'page-headers':
		'If the page size in the header is wrong, leave out `perPage`, the value of `X-Per-Page`, in `#pageReader`.',
	total:
		"Leave out `total`, the value of `X-Total`, in `#pageReader`. Until then, lists are incomplete, so don't let Sync close feeds.",
	paging:
		"If Supercast counts pages from 0, subtract 1 from the page in `#pageReader`. If the parameters have other names, send these names in `#pageReader`. Until then, lists are incomplete, so don't let Sync close feeds.",
	'largest-page':
		'If Supercast refuses this page size, lower `#LARGEST_PAGE`. If Supercast sends fewer records per page, nothing has to change.',
	'past-the-end':
		'If Supercast responds with an error, let `#readPages` treat the error as the end of the list. If Supercast sends records and `X-Total` is right, nothing has to change.',
	'record-form':
		"If the record is in a field with the resource's singular name, or in `data`, nothing has to change. If it is in another field, add this field to `#unwrap`.",
	'found-by-email':
		"Let `#readByEmail` search the list of all subscribers (`#readSubscribers`). Call it in `#findRefusedSubscriber` too. Until then, use UUIDs, and don't use the operations **Create or Update**, **Set Access** and **Sync**.",
	'found-by-uuid':
		'Let `#identifierOf` return the email instead of the uuid, if the record has an email. In `#shownAfter` and `#isGone`, look up the email first. Remove the mode **By UUID** from `#personModes`. In the mode **From List**, return emails.',
	'other-capitals':
		'Enter emails exactly as Supercast shows them. If Supercast stores emails in lower case, you can instead let `#requireEmail` return lower case.',
	'feed-by-uuid':
		"In `#setFeedState` and in Get of `#feed`, read the subscriber first, and use the subscriber's email in the path.",
	'feed-by-email':
		"In `#setFeedState` and in Get of `#feed`, read the subscriber first, and use the subscriber's uuid in the path.",
	uuids:
		'If the uuid has another form, nothing has to change. If there is no uuid, let the node use the ID or the email instead. Begin with `#readPages`.',
	'episode-by-id':
		'If another field works, name this field in `#identifyRecord` and in `#episode`.',
	times:
		"Let the function `timeOf` of `nodes/Supercast/api/json.ts` read the other form. It already reads seconds since 1970, and ISO 8601 in UTC without a zone. Until then, don't use filters by time.",
	states:
		'If Supercast uses another word for a known state, translate the word in `#validateBody` and `#sendOnce`. If feeds are open in a new state, translate the state to `available`. If they are closed, follow [Change who gets access](../../CONTRIBUTING.md#change-who-gets-access). Until then, Sync and Set Access skip people in the new state.',
	'quiet-reads': 'Remove the check with `#isSameMoment` from `#isUnchanged`.',
	'subscriber-fields':
		"If a field has another name, translate the name in `#validateBody` and `#sendOnce`. If a field is missing, remove it from `#subscriberFields`, `#simplifySubscriber` and `#subscriberFilters`, and run `npm run schemas`. Without `customer_id` or `state`, don't use Sync.",
	'subscription-address':
		'In `#validateBody`, rename the field that contains the address to `feed_url`. Then the node also hides the address from AI agents.',
	'episode-fields':
		'Correct the fields in `#episode` and `#episodePublished`. Then run `npm run schemas`.',
	'creator-fields': 'Correct the fields in `#creator`. Then run `npm run schemas`.',
	'question-fields': 'Correct the fields in `#question`. Then run `npm run schemas`.',
	'role-fields': 'Correct the fields in `#role`. Then run `npm run schemas`.',
	'invite-fields': 'In `#invite`, name the field that identifies an invite.',
	'usage-alert-fields':
		'If the email is in another field, let `#aboutPerson` and `#usageAlertCreated` read this field. If there is no `id`, let the operations in `#usageAlert` use another field.',
	'wrapped-json':
		'In `#sendOnce`, send a body that Supercast accepts. Until then, the node cannot change anything in Supercast.',
	created: 'Nothing has to change.',
	'new-is-open':
		'If the feed is closed, call `#setFeedState` after `#createOrFind`. If the address comes later, read the subscriber again before a workflow sends it.',
	'new-has-no-plan':
		'Turn on the option **Close Despite Plan** in Sync and Set Access, and change its default to on. As long as the option is off, Sync keeps every feed open.',
	'customer-id-kept':
		"If the ID is in lower case, let `#customerIdOf` return lower case. If the ID is missing, don't use Sync with **Customer ID**.",
	'names-kept': 'Nothing has to change.',
	'visible-at-once':
		"If the delay is longer than 6 s, raise the node's waiting time, `visibleMs` in `#runtime`. If look-ups by email don't work at all, do what the entry found-by-email in `tools/probe/changes.ts` says.",
	'known-email':
		'If Supercast responds with 409, nothing has to change. If it refuses with another status, turn this status into 422 in `#parseErrorResponse`. If it returns a subscriber, say so in the texts of Create in `#subscriber`.',
	changed:
		'If Supercast refused the request, change the body in `#updateOperation`. An empty response needs no change.',
	'ignore-usage-alerts': 'Remove **Ignore Usage Alerts** from `#subscriberFields`.',
	'time-zone': 'Remove **Time Zone** from `#subscriberFields`.',
	suspended:
		"If Supercast uses another word than `suspended`, translate the word in `#sendOnce` and `#validateBody`. If the new state appeared only after more than 6 s, raise the node's waiting time, `visibleMs` in `#runtime`.",
	activated:
		"If Supercast uses another word than `available`, translate the word in `#sendOnce` and `#validateBody`. If the state came only after more than 6 s, raise `visibleMs` in `#runtime`. If feeds don't open at all, correct the request in `#setFeedState`. Until then, don't use the operations Feed: Activate, **Create or Update**, **Set Access** and **Sync**.",
	deactivated:
		"If Supercast uses another word than `inactive`, translate the word in `#sendOnce` and `#validateBody`. If the state came only after more than 6 s, raise `visibleMs` in `#runtime`. If one of the subscriber's feeds stays open, correct the request in `#setFeedState`. Until then, use Subscriber: Delete instead.",
	'same-address':
		'Send the new address (`feed_urls`) to members who return. Correct `docs/service.md` and `docs/operate.md`.',
	deleted:
		'If the look-up finds a deactivated subscriber, use the event Subscriber State Changed instead of Subscriber Deleted (`#subscriberDeleted`). If the look-up finds an available subscriber, use the operation Feed: Deactivate instead of Delete.',
	'deleted-again':
		'If deleting again succeeds, the option **If Missing** has no effect. Change its description in `#ifMissingOption`. If Supercast refuses the request with another status, turn this status into 404 in `#parseErrorResponse`.',
	'new-uuid':
		"Nothing has to change. But while the trigger remembers a person, the event Subscriber Created doesn't report the person's return.",
	'new-address':
		'Say in `docs/service.md` that the old address of a deleted member works again after the member returns.',
};
