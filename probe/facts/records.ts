import {
	doesNot,
	holds,
	holdsIf,
	unclear,
	type Evidence,
	type Fact,
	type Finding,
} from '../finding';
import type { Answer } from '../service';
import { isBare, kindOf, recordOf } from '../shapes';
import { inWords } from './access';

/** The form and names of records. */
export const recordFacts = {
	'record-form': {
		fact: 'A single record has no wrapper',
		expected: 'a bare object',
		source: 'client',
		certainty:
			"stated. The node also reads a record that is inside an object, under the resource's name",
		foundBy: 'reading',
		judge: ({ reading }) => judgeForm(reading),
	},
	'found-by-email': {
		fact: 'You can look up a subscriber by email',
		expected: 'the subscriber',
		source: 'reference',
		certainty: 'stated',
		foundBy: 'reading',
		judge: ({ reading: { lookups } }) => isFound(lookups.byEmail, lookups.byUuid),
	},
	'found-by-uuid': {
		fact: 'You can look up a subscriber by uuid',
		expected: 'the subscriber',
		source: 'reference',
		certainty: 'stated',
		foundBy: 'reading',
		judge: ({ reading: { lookups } }) => isFound(lookups.byUuid, lookups.byEmail),
	},
	'other-capitals': {
		fact: 'The look-up by email ignores upper and lower case',
		expected: 'the subscriber',
		source: '',
		certainty: 'inferred',
		foundBy: 'reading',
		judge: ({ reading: { lookups } }) => isFound(lookups.inCapitals, lookups.byUuid),
	},
	'customer-id-names-nobody': {
		fact: 'You cannot look up a subscriber by `customer_id`',
		expected: '404',
		source: 'reference',
		certainty: 'stated',
		foundBy: 'reading',
		judge: ({ reading: { lookups } }) =>
			lookups.byCustomerId === undefined
				? unclear('no subscriber has a customer_id')
				: holdsIf(lookups.byCustomerId.status === 404, inWords(lookups.byCustomerId)),
	},
	uuids: {
		fact: 'The `uuid` of a subscriber has the form of a UUID',
		expected: 'UUID',
		source: 'reference',
		certainty: 'the name is stated, and the format is inferred. The node accepts any string',
		foundBy: 'reading',
		judge: ({ reading }) => kinds(reading, ['subscribers'], 'uuid', ['UUID']),
	},
	ids: {
		fact: 'The `id` of an episode, invite, question, role or usage alert is a number',
		expected: 'number',
		source: '',
		certainty: 'unknown. The node accepts numbers and strings',
		foundBy: 'reading',
		judge: ({ reading }) =>
			kinds(reading, ['episodes', 'invites', 'questions', 'roles', 'usage_alerts'], 'id', [
				'number',
			]),
	},
	'episode-by-id': {
		fact: 'You can look up an episode by `id`',
		expected: 'the episode',
		source: 'client',
		certainty: 'stated',
		foundBy: 'reading',
		judge: ({ reading: { episode } }) =>
			episode === undefined
				? unclear('no episode was read')
				: holdsIf(episode.status === 200, inWords(episode)),
	},
	times: {
		fact: 'Times are ISO 8601 with a time zone',
		expected: 'ISO 8601, with Z or an offset',
		source: 'integrations',
		certainty: 'used by the integrations',
		foundBy: 'reading',
		judge: ({ reading }) => judgeTimes(reading),
	},
	states: {
		fact: 'The state of a subscriber is `available`, `deactivated`, `suspended`, `charge_failure` or `pending`',
		expected: 'no other state',
		source: 'reference',
		certainty:
			'stated. In the state `charge_failure`, a payment failed and the feeds are temporarily suspended. In the state `pending`, the checkout is not complete. The feeds are open only in the state `available`',
		foundBy: 'reading',
		judge: ({ reading }) => judgeStates(reading),
	},
} satisfies Record<string, Fact>;

function judgeForm({ channel, lookups, episode }: Evidence['reading']): Finding {
	const read: Array<[Answer | undefined, string]> = [
		[channel, 'channel'],
		[lookups.byUuid, 'subscriber'],
		[episode, 'episode'],
	];
	const records = read.filter((pair): pair is [Answer, string] => pair[0]?.status === 200);
	if (records.length === 0) return unclear('no record could be read');
	const areBare = records.every(([answer, name]) => isBare(answer, name));
	return holdsIf(areBare, areBare ? 'a bare object' : 'an object inside another');
}

/** Whether two look-ups found the same subscriber. */
function isFound(answer: Answer | undefined, other: Answer | undefined): Finding {
	if (answer === undefined) return unclear('no subscriber was read');
	const record = recordOf(answer, 'subscriber');
	if (answer.status !== 200 || record === undefined) return doesNot(inWords(answer));
	const expected = other && recordOf(other, 'subscriber')?.uuid;
	const isAnother = expected !== undefined && record.uuid !== expected;
	return holdsIf(!isAnother, isAnother ? 'another subscriber' : 'the subscriber');
}

type Names = ReadonlyArray<keyof Evidence['reading']['lists']>;

function rowsOf({ lists }: Evidence['reading'], names: Names): Array<Record<string, unknown>> {
	return names.flatMap((name) => lists[name]?.rows ?? []);
}

function kinds(
	reading: Evidence['reading'],
	names: Names,
	field: string,
	wanted: string[],
): Finding {
	const values = rowsOf(reading, names).map((row) => row[field]);
	const seen = [...new Set(values.filter((value) => value !== undefined).map(kindOf))].sort();
	if (seen.length === 0) return unclear('no record has this field');
	return holdsIf(
		seen.every((kind) => wanted.includes(kind)),
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
	if (typeof time === 'number') return 'a number';
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
