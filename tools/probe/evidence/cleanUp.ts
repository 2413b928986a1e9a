import { isAbsent, noAnswer, type Answer } from '../answer';
import { Unreachable, type Service } from '../service';
import { identityOf, listOf, recordOf, stateWord, type Fields } from '../shapes';
import type { ProbedPerson } from './subject';

const MOST_STEPS = 40;
const WAIT_MS = 2_000;

/** How many pages of a list to search for the record. */
const MOST_PAGES = 100;

/** How long to wait for the record if the outcome of its create request is unknown. */
const MOST_LATE_MS = 20_000;

/**
 * Deletes everything that the probe created, including records that are not visible yet. Ignores
 * signals.
 * @returns A sentence about what remains. Undefined if nothing remains.
 */
export async function cleanUp(
	service: Service,
	subject: ProbedPerson,
): Promise<string | undefined> {
	const cleaning: Cleaning = { service, subject, deleted: new Set() };
	let how: Step = 'next';
	for (let step = 0; step < MOST_STEPS && how !== 'kept'; step++) {
		const uuid = [...subject.uuids][0];
		how = await (uuid === undefined ? deleteByEmail(cleaning) : deleteByUuid(cleaning, uuid));
		if (how === 'done') return undefined;
		if (how === 'wait') await service.sleep(WAIT_MS);
	}
	return await whatIsLeft(cleaning, how);
}

interface Cleaning {
	service: Service;
	subject: ProbedPerson;
	/** The UUIDs that were deleted. */
	deleted: Set<string>;
}

type Step = 'done' | 'kept' | 'next' | 'wait';

async function deleteByUuid({ service, subject, deleted }: Cleaning, uuid: string): Promise<Step> {
	const { status } = await ask(service, uuid, 'DELETE');
	if (status === 0 || (status >= 300 && !isAbsent({ status }))) return 'wait';
	subject.uuids.delete(uuid);
	deleted.add(uuid);
	return 'next';
}

async function deleteByEmail({ service, subject, deleted }: Cleaning): Promise<Step> {
	if (subject.isForeign) return 'done';
	const found = await ask(service, subject.email, 'GET');
	const record = found.status === 200 ? recordOf(found, 'subscriber') : undefined;
	if (record !== undefined && !subject.isOurs(record)) return 'kept';
	const uuid = record?.uuid;
	if (typeof uuid === 'string') {
		if (deleted.has(uuid)) return 'kept';
		subject.uuids.add(uuid);
		return 'next';
	}
	// The record may exist even if it is not visible.
	const { status } = await ask(service, subject.email, 'DELETE');
	if (status !== 0 && status < 300) return 'next';
	const { unclearSince = -Infinity } = subject;
	const isSure = isAbsent({ status }) && service.now() - unclearSince > MOST_LATE_MS;
	if (!isSure) return 'wait';
	if (subject.isFoundByEmail) return 'done';
	return await findInList(service, subject, deleted);
}

/**
 * If look-ups by email find nobody, only the list shows whether a record is left. Some APIs count
 * pages from 0, and some send small pages without a total. So the list ends only at a page without
 * new records.
 */
async function findInList(
	service: Service,
	subject: ProbedPerson,
	deleted: ReadonlySet<string>,
): Promise<Step> {
	const seen = new Set<string>();
	for (let page = 0; page <= MOST_PAGES; page++) {
		const answer = await service.ask(`/subscribers?page=${page}&per_page=100`);
		const rows = rowsOf(answer);
		const found = rows?.find(({ email }) => String(email).toLowerCase() === subject.email);
		if (found !== undefined) return noteFound(subject, found, deleted);
		const before = seen.size;
		for (const row of rows ?? []) seen.add(identityOf(row));
		const isOver = page > 1 && seen.size === before;
		if (isOver) return isWholeList(answer, seen.size) ? 'done' : 'kept';
		if (page > 0 && rows === undefined) return 'kept';
	}
	return 'kept';
}

function rowsOf(answer: Answer): Fields[] | undefined {
	return answer.status === 200 ? listOf(answer, 'subscriber')?.rows : undefined;
}

/** Whether the last page was the end of the list. Supercast may also repeat a page endlessly. */
function isWholeList(last: Answer, read: number): boolean {
	const isEmpty = isAbsent(last) || rowsOf(last)?.length === 0;
	return isEmpty || read >= Number(last.headers['x-total'] ?? Infinity);
}

function noteFound(subject: ProbedPerson, record: Fields, deleted: ReadonlySet<string>): Step {
	const { uuid } = record;
	if (typeof uuid !== 'string' || deleted.has(uuid) || !subject.isOurs(record)) return 'kept';
	subject.uuids.add(uuid);
	return 'next';
}

async function whatIsLeft({ service, subject }: Cleaning, how: Step): Promise<string | undefined> {
	const answer = await ask(service, subject.email, 'GET');
	if (answer.status === 200) {
		return `A subscriber with that address is left (${stateWord(recordOf(answer, 'subscriber')?.state)}).`;
	}
	// Some APIs respond to every delete request with a success.
	if (how === 'next' && isAbsent(answer) && subject.isFoundByEmail) return undefined;
	return 'The probe could not delete the subscriber with that address. Check in Supercast whether they still exist.';
}

async function ask(service: Service, name: string, method: 'DELETE' | 'GET'): Promise<Answer> {
	const path = `/subscribers/${encodeURIComponent(name)}`;
	return await service.ask(path, { method }).catch((error: unknown) => {
		if (error instanceof Unreachable) return noAnswer(error.message);
		throw error;
	});
}
