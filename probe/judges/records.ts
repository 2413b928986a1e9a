import type { Lookups } from '../evidence/reading';
import {
	doesNot,
	holds,
	holdsIf,
	inWords,
	ofAnswer,
	unclear,
	type Evidence,
	type Finding,
	type Judge,
} from '../finding';
import type { Answer } from '../service';
import { identityOf, isBare, kindOf, recordOf, type Row } from '../shapes';

/** The form and names of records. */
export const recordJudges = {
	'record-form': ({ reading }) => judgeForm(reading),
	'found-by-email': ({ reading }) => isFound(reading, 'byEmail', 'an email'),
	'found-by-uuid': ({ reading }) => isFound(reading, 'byUuid', 'a uuid'),
	'other-capitals': ({ reading }) => isFound(reading, 'inCapitals', 'an email'),
	'feed-by-uuid': ({ reading }) => isFeed(reading.lookups.feedByUuid),
	'feed-by-email': ({ reading }) => isFeed(reading.lookups.feedByEmail),
	'customer-id-names-nobody': ({ reading: { lookups } }) =>
		ofAnswer(
			lookups.byCustomerId,
			(answer) => holdsIf(answer.status === 404, inWords(answer)),
			unclear('no subscriber has a customer_id'),
		),
	uuids: ({ reading }) => kinds(reading, ['subscribers'], 'uuid', 'UUID'),
	ids: ({ reading }) =>
		kinds(reading, ['episodes', 'invites', 'questions', 'roles', 'usage_alerts'], 'id', 'number'),
	'episode-by-id': ({ reading: { episode } }) =>
		ofAnswer(
			episode,
			(answer) => holdsIf(answer.status === 200, inWords(answer)),
			unclear('no episode with an ID was read'),
		),
	times: ({ reading }) => judgeTimes(reading),
	states: ({ reading }) => judgeStates(reading),
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

type Names = ReadonlyArray<keyof Evidence['reading']['lists']>;

function rowsOf({ lists }: Evidence['reading'], names: Names): Row[] {
	return names.flatMap((name) => lists[name]?.rows ?? []);
}

function kinds(reading: Evidence['reading'], names: Names, field: string, wanted: string): Finding {
	const values = rowsOf(reading, names).map((row) => row[field]);
	if (values.length === 0) return unclear('no record was read');
	const seen = [...new Set(values.map(kindOf))].sort();
	return holdsIf(
		seen.every((kind) => kind === wanted),
		seen.join(', '),
	);
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

const STATES = ['available', 'charge_failure', 'deactivated', 'pending', 'suspended'];

function judgeStates(reading: Evidence['reading']): Finding {
	const rows = rowsOf(reading, ['subscribers']);
	const seen = [...new Set(rows.map(({ state }) => state).filter((state) => state !== undefined))];
	if (seen.length === 0) return unclear('no subscriber has a state');
	const known = STATES.filter((state) => seen.includes(state));
	if (known.length < seen.length) return doesNot([...known, 'another'].join(', '));
	return holds(known.join(', '));
}
