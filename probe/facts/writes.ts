import type { ProbedFeedState, Writing } from '../evidence/writing';
import { doesNot, holds, holdsIf, ofWriting, unclear, type Fact, type Finding } from '../finding';
import type { Answer } from '../service';
import { recordOf, stateWord } from '../shapes';
import { inWords } from './access';

/** Changes, and their results. */
export const writeFacts = {
	'wrapped-json': written({
		fact: 'Supercast accepts a JSON body that is wrapped in the singular name of the resource',
		expected: 'accepted',
		source: 'client',
		certainty: 'the wrapping is stated for form fields. JSON bodies are inferred',
		judge: ({ created }) =>
			created === undefined ? notReached() : holdsIf(created.status < 300, inWords(created)),
	}),
	created: written({
		fact: 'Supercast responds to a create request with 201 and the record',
		expected: '201, the record',
		source: 'specification',
		certainty:
			'the status is stated, and the body is inferred. The node treats an empty response as success',
		judge: ({ created }) => answeredWith(created, 201),
	}),
	'visible-at-once': written({
		fact: 'You can look up a new subscriber immediately',
		expected: 'immediately',
		source: '',
		certainty: 'inferred. The node repeats the look-up before it assumes that nothing was created',
		judge: ({ visibleAfterMs: ms }) => {
			if (ms === undefined) return notReached();
			if (ms === 0) return holds('immediately');
			return doesNot(ms === Infinity ? 'not within 30 s' : `after ${Math.ceil(ms / 1_000)} s`);
		},
	}),
	'known-email': written({
		fact: 'Supercast refuses a create request with 422 if the email already exists',
		expected: '422',
		source: '',
		certainty: 'unknown. Create or Update looks up the subscriber first',
		judge: ({ createdAgain, created }) =>
			createdAgain === undefined ? notReached() : knownEmail(createdAgain, created),
	}),
	'idempotency-key': written({
		fact: 'If a create request is sent again with the same `Idempotency-Key`, Supercast returns the first response',
		expected: 'the first response',
		source: 'client',
		certainty:
			'the client sends the key. It is unknown whether Supercast honors it, so the node does not rely on it',
		judge: judgeKey,
	}),
	changed: written({
		fact: 'Supercast responds to an update request with 200 and the record',
		expected: '200, the record',
		source: 'client',
		certainty: 'inferred. The node treats an empty response as success',
		judge: ({ changed }) => answeredWith(changed, 200),
	}),
	'ignore-usage-alerts': written({
		fact: 'You can change `ignore_usage_alerts`',
		expected: 'the value that was sent',
		source: '',
		certainty: 'inferred',
		judge: ({ afterChange }) => readBack(afterChange, 'ignore_usage_alerts', true),
	}),
	'time-zone': written({
		fact: 'You can change `time_zone`',
		expected: 'the value that was sent',
		source: '',
		certainty: 'inferred',
		judge: ({ afterChange }) => readBack(afterChange, 'time_zone', 'Europe/Berlin'),
	}),
	suspended: state('suspended', 'suspended'),
	activated: state('available', 'available'),
	deactivated: state('inactive', 'deactivated'),
	'same-address': written({
		fact: 'A feed keeps its address when it is closed and opened again',
		expected: 'the same address',
		source: '',
		certainty: 'inferred',
		judge: ({ address, addressAfter }) => {
			if (address === undefined || addressAfter === undefined)
				return unclear('no address was read');
			const isSame = address === addressAfter;
			return holdsIf(isSame, isSame ? 'the same address' : 'another address');
		},
	}),
	'create-reactivates': written({
		fact: 'Creating a deactivated subscriber again opens their feed',
		expected: 'available',
		source: 'reference',
		certainty:
			'inferred from the name of the create request in the reference. The node does not rely on it',
		judge: ({ reactivated }) => {
			if (reactivated === undefined) return notReached();
			const { answer, state: after } = reactivated;
			return holdsIf(after === 'available', `${inWords(answer)}, then ${stateWord(after)}`);
		},
	}),
	deleted: written({
		fact: 'A look-up no longer finds a deleted subscriber',
		expected: '404',
		source: 'specification',
		certainty: 'the end of access is stated, and the deletion of the record is inferred',
		judge: ({ deleted, afterDelete }) => {
			if (deleted === undefined || afterDelete === undefined) return notReached();
			const after = recordOf(afterDelete, 'subscriber')?.state;
			const seen = afterDelete.status === 200 ? `, ${stateWord(after)}` : '';
			return holdsIf(
				afterDelete.status === 404,
				`${deleted.status}, then ${afterDelete.status}${seen}`,
			);
		},
	}),
	'deleted-again': written({
		fact: 'Supercast responds with 404 if you delete a subscriber who is already deleted',
		expected: '404',
		source: 'specification',
		certainty: 'stated',
		judge: ({ deletedAgain }) =>
			deletedAgain === undefined
				? notReached()
				: holdsIf(deletedAgain.status === 404, inWords(deletedAgain)),
	}),
	'new-uuid': second('hasNewUuid', 'uuid'),
	'new-address': second('hasNewAddress', 'feed address'),
	'create-question': {
		fact: 'You can create questions',
		expected: '',
		source: '',
		certainty:
			'described only in an unpublished draft, so it may not work. The probe does not try it, because questions cannot be deleted',
		foundBy: 'nothing',
	},
} satisfies Record<string, Fact>;

function written({
	judge,
	...fact
}: Pick<Fact, 'certainty' | 'expected' | 'fact' | 'source'> & {
	judge: (writing: Writing) => Finding;
}): Fact {
	return { ...fact, foundBy: 'write', judge: ofWriting(judge) };
}

function state(sent: ProbedFeedState, expected: string): Fact {
	return written({
		fact: `After a feed is set to \`${sent}\`, its subscriber has the state \`${expected}\``,
		expected,
		source: 'client',
		certainty: 'stated',
		judge: ({ feeds }) => {
			const seen = feeds[sent];
			if (seen === undefined) return notReached();
			const after = seen.after?.state;
			return holdsIf(after === expected, `${inWords(seen.answer)}, then ${stateWord(after)}`);
		},
	});
}

function second(name: 'hasNewAddress' | 'hasNewUuid', what: string): Fact {
	return written({
		fact: `A subscriber who is deleted and created again gets a new ${what}`,
		expected: `another ${what}`,
		source: '',
		certainty: 'inferred',
		judge: ({ second: life }) => {
			const isNew = life?.[name];
			if (isNew === undefined)
				return life === undefined ? notReached() : unclear('the record does not show it');
			return holdsIf(isNew, `${isNew ? 'another' : 'the same'} ${what}`);
		},
	});
}

const notReached = (): Finding => unclear('the probe did not get this far');

function answeredWith(answer: Answer | undefined, status: number): Finding {
	if (answer === undefined) return notReached();
	const hasRecord = recordOf(answer, 'subscriber')?.email !== undefined;
	const seen = hasRecord ? `${answer.status}, the record` : inWords(answer);
	return holdsIf(answer.status === status && hasRecord, seen);
}

function knownEmail(again: Answer, first: Answer | undefined): Finding {
	const [uuid, before] = [again, first].map(
		(answer) => answer && recordOf(answer, 'subscriber')?.uuid,
	);
	const who =
		uuid === undefined
			? again.form
			: uuid === before
				? 'the same subscriber'
				: 'another subscriber';
	return holdsIf(
		again.status === 422,
		again.status < 300 ? `${again.status}, ${who}` : inWords(again),
	);
}

function judgeKey({ created, repeated, createdAgain }: Writing): Finding {
	if (!created || !repeated || !createdAgain) return notReached();
	if (isSameAnswer(repeated, created)) {
		const seen = 'the same response with and without the key';
		return isSameAnswer(createdAgain, created) ? unclear(seen) : holds('the first response');
	}
	return doesNot(inWords(repeated));
}

function isSameAnswer(one: Answer, other: Answer): boolean {
	return one.status === other.status && JSON.stringify(one.json) === JSON.stringify(other.json);
}

function readBack(
	record: Record<string, unknown> | undefined,
	name: string,
	value: unknown,
): Finding {
	if (record === undefined) return notReached();
	if (record[name] === undefined) return unclear('the record does not show it');
	const isSame = record[name] === value;
	return holdsIf(isSame, isSame ? 'the value that was sent' : 'unchanged');
}
