import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { filterProperties, wantedRecords, type ListFilter, type RecordTest } from './lists';
import { readList } from './lists';
import { listProperties, simplifier, simplifyProperties, wantedCount } from './options';
import type { RecordKind, Simplifiable } from './kinds';
import type { Operation } from './types';

/** What is specific to the list of one kind of record. */
export interface GetManyOptions extends Pick<Operation, 'action' | 'description'> {
	/** The parameters in the collection Filters. */
	filters?: ListFilter[];
}

/** Builds the operation that reads a list. */
export function getManyOperation(
	kind: RecordKind & Partial<Simplifiable>,
	{ filters, ...texts }: GetManyOptions,
): Operation {
	return {
		name: 'Get Many',
		...texts,
		properties: [...listProperties, ...filterProperties(filters), ...simplifyProperties(kind)],
		prepare: (item) => {
			const count = wantedCount(item);
			const isWanted = wantedRecords(filters, item);
			const simplify = simplifier(kind, item);
			return {
				run: async (client, addHint) => {
					const { records, hint } = await excerpt(client, kind, count, isWanted);
					if (hint !== undefined) addHint?.(hint);
					return records.map(simplify);
				},
			};
		},
	};
}

/**
 * Reads records until there are enough.
 *
 * @returns The records, and a hint about those that were left out.
 * @throws ServiceError if the list ends before its total, because records would be missing.
 */
async function excerpt(
	client: SupercastClient,
	kind: RecordKind,
	limit: number,
	isWanted: RecordTest | undefined,
): Promise<{ records: IDataObject[]; hint?: string }> {
	const takesAll = isWanted === undefined;
	const take = (record: IDataObject): IDataObject | undefined =>
		takesAll || isWanted(record) ? record : undefined;
	const reading = await readList(client, kind, { take, limit, takesAll });
	const { taken: records, read, total = read, isShort } = reading;
	const part = `${counted(read)} of ${counted(total)}`;
	if (isShort) throw tooShort(`${part} ${kind.plural}`);
	// n8n's editor explains how to get the other records, so the hint does not.
	if (takesAll) return read < total ? { records, hint: `${part} ${kind.plural}` } : { records };
	const all = read < total ? `the first ${part}` : counted(read);
	const match = `${counted(records.length)} ${records.length === 1 ? 'matches' : 'match'}`;
	return { records, hint: `Of ${all} ${kind.plural}, ${match} the filters.` };
}

function tooShort(part: string): ServiceError {
	return new ServiceError(
		`Supercast sent only ${part}`,
		'The node read the list several times, and each time it ended before its total. Try again later.',
		{ kind: 'unexpected', status: 200, came: 'a list' },
	);
}

function counted(value: number): string {
	return value.toLocaleString('en-US');
}
