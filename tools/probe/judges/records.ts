import { inWords, type Answer } from '../answer';
import type { ListName, Lookups } from '../evidence/reading';
import { addressOf } from '../evidence/writing';
import {
	doesNot,
	holdsIf,
	ofAnswer,
	unclear,
	type Evidence,
	type Finding,
	type Judge,
} from '../finding';
import {
	fieldName,
	identityOf,
	isBare,
	recordOf,
	stateWord,
	typeOfValue,
	type Fields,
} from '../shapes';
import { SUBSCRIBER_STATES } from '../../../nodes/Supercast/subscriber/states';

/** Judges the format and names of records. */
export const recordJudges = {
	'record-form': ({ reading }) => judgeForm(reading),
	'found-by-email': ({ reading }) => isFound(reading, 'byEmail', 'an email'),
	'found-by-uuid': ({ reading }) => isFound(reading, 'byUuid', 'a uuid'),
	'other-capitals': ({ reading }) => isFound(reading, 'inCapitals', 'an email'),
	'feed-by-uuid': ({ reading }) => isFeed(reading.lookups.feedByUuid),
	'feed-by-email': ({ reading }) => isFeed(reading.lookups.feedByEmail),
	uuids: ({ reading }) => judgeUuids(rowsOf(reading, ['subscribers'])),
	'episode-by-id': ({ reading: { episode } }) =>
		ofAnswer(
			episode,
			(answer) => holdsIf(answer.status === 200, inWords(answer)),
			unclear('no episode with an ID was read'),
		),
	times: ({ reading }) => judgeTimes(reading),
	states: ({ reading }) => judgeStates(reading),
	'quiet-reads': ({ reading: { lookups } }) => judgeQuiet(lookups),
} satisfies Record<string, Judge>;

function judgeForm({ channel, lookups, episode }: Evidence['reading']): Finding {
	const read: Array<[Answer | undefined, string]> = [
		[channel, 'channel'],
		[lookups.byUuid, 'subscriber'],
		[episode, 'episode'],
	];
	const records = read.filter((pair): pair is [Answer, string] => pair[0]?.status === 200);
	if (records.length === 0) return unclear('no record could be read');
	const areBare = records.every(([answer, name]) => isBare(answer, name));
	return holdsIf(areBare, 'a bare object', 'an object inside another');
}

/** Whether a look-up found the right subscriber. */
function isFound(
	{ lookups }: Evidence['reading'],
	how: 'byEmail' | 'byUuid' | 'inCapitals',
	name: string,
): Finding {
	const judge = (answer: Answer): Finding => {
		const record = recordOf(answer, 'subscriber');
		if (answer.status !== 200 || record === undefined) return doesNot(inWords(answer));
		const isRight = identityOf(record) === lookups.identity;
		return holdsIf(isRight, 'the subscriber', 'another subscriber, or an odd record');
	};
	return ofAnswer(lookups[how], judge, nobody(lookups, name));
}

const nobody = ({ identity }: Lookups, name: string): Finding =>
	unclear(identity === undefined ? 'no subscriber was read' : `no subscriber has ${name}`);

function isFeed(answer: Answer | undefined): Finding {
	const judge = (found: Answer): Finding =>
		holdsIf(found.status === 200 && found.form === 'JSON', 'the feed', inWords(found));
	return ofAnswer(answer, judge, unclear('no subscriber was read'));
}

type Identifiers = ReadonlyArray<keyof Evidence['reading']['lists']>;

function rowsOf({ lists }: Evidence['reading'], names: Identifiers): Fields[] {
	return names.flatMap((name) => lists[name]?.rows ?? []);
}

function judgeUuids(rows: readonly Fields[]): Finding {
	if (rows.length === 0) return unclear('no record was read');
	const seen = [...new Set(rows.map(({ uuid }) => typeOfValue(uuid)))].sort().join(', ');
	return holdsIf(seen === 'UUID', seen);
}

/** Whether a look-up changes the time of the last change. */
function judgeQuiet({ byUuid, byUuidAgain, ...lookups }: Lookups): Finding {
	const [one, two] = [byUuid, byUuidAgain].map((answer) =>
		answer?.status === 200 ? recordOf(answer, 'subscriber')?.updated_at : undefined,
	);
	if (one === undefined || two === undefined) return nobody(lookups, 'a uuid and updated_at');
	return holdsIf(one === two, 'the same time', 'another time after each look-up');
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

function judgeTimes(reading: Evidence['reading']): Finding {
	const rows = rowsOf(reading, ['subscribers', 'episodes', 'creators', 'questions']);
	const times = rows.map(({ created_at: time }) => time).filter((time) => time !== undefined);
	if (times.length === 0) return unclear('no record has a time');
	const forms = [...new Set(times.map(formOfTime))].sort();
	return holdsIf(
		forms.every((form) => form.startsWith('ISO 8601, with')),
		forms.join('; '),
	);
}

function formOfTime(time: unknown): string {
	if (typeof time === 'number')
		return time > 1e11 ? 'milliseconds since 1970' : 'seconds since 1970';
	if (typeof time !== 'string' || !ISO.test(time)) return 'another form';
	return time.endsWith('Z') ? 'ISO 8601, with Z' : 'ISO 8601, with an offset';
}

function judgeStates(reading: Evidence['reading']): Finding {
	const rows = rowsOf(reading, ['subscribers']);
	const seen = [...new Set(rows.map(({ state }) => state).filter((state) => state !== undefined))];
	if (seen.length === 0) return unclear('no subscriber has a state');
	const words = [...new Set(seen.map(stateWord))].sort().join(', ');
	return holdsIf(
		seen.every((state) => SUBSCRIBER_STATES.some((known) => known === state)),
		words,
	);
}

/** The fields of the records. */
export const fieldJudges = {
	'subscriber-fields': fields(
		'subscribers',
		'uuid email customer_id first_name last_name state subscriptions created_at updated_at ignore_usage_alerts plan_id plan_name',
	),
	'subscription-address': ({ reading }) =>
		judgeSubscriptions(reading.lists.subscribers?.rows ?? []),
	'episode-fields': fields(
		'episodes',
		'id title summary explicit language published_at created_at',
	),
	'creator-fields': fields('creators', 'email first_name last_name'),
	'question-fields': fields('questions', 'id title body created_at'),
	'role-fields': fields('roles', 'id name description permissions'),
	'invite-fields': fields('invites', 'id'),
	'usage-alert-fields': fields('usage_alerts', 'id created_at subscriber.email'),
} satisfies Record<string, Judge>;

function fields(list: ListName, names: string): Judge {
	return ({ reading }) => judgeFields(reading.lists[list]?.rows ?? [], names.split(' '));
}

function judgeFields(rows: readonly Fields[], names: readonly string[]): Finding {
	if (rows.length === 0) return unclear('no record was read');
	const missing = names.filter((name) => !rows.some((row) => has(row, name.split('.'))));
	return holdsIf(
		missing.length === 0,
		missing.length === 0 ? 'all fields' : `missing: ${missing.join(', ')}`,
	);
}

function has(row: Fields, [name = '', ...rest]: string[]): boolean {
	if (!Object.hasOwn(row, name)) return false;
	return rest.length === 0 || has((row[name] ?? {}) as Fields, rest);
}

function judgeSubscriptions(rows: readonly Fields[]): Finding {
	const filled = rows.filter(({ subscriptions: list }) => Array.isArray(list) && list.length > 0);
	if (filled.length === 0) return unclear('no subscriber has a subscription');
	const found = filled.filter(({ subscriptions }) => addressOf({ subscriptions }) !== undefined);
	if (found.length > 0) return holdsIf(true, 'an address');
	const first = (filled[0]?.subscriptions as Fields[])[0] ?? {};
	const others = Object.keys(first).filter((name) => typeOfValue(first[name]) === 'address');
	const known = others.filter((name) => fieldName(name) !== undefined);
	return doesNot(
		known.length === 0 ? 'no field with an address' : `an address in ${known.join(', ')}`,
	);
}
