import type { RecordKind } from '../../operations/recordKind';

/** What listeners ask, and what they are asked. */
export const questions: RecordKind = {
	singular: 'question',
	plural: 'questions',
	path: 'questions',
	wrapper: 'question',
};
