import type { RecordKind } from '../../operations/recordKind';

/** The podcast itself, of which a credential sees exactly one. */
export const channels: RecordKind = {
	singular: 'channel',
	plural: 'channels',
	path: 'channel',
	wrapper: 'channel',
};
