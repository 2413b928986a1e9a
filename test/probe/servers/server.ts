import type { FactId } from '../../../tools/probe/facts';
import type { SandboxOptions } from '../../../simulators/supercast';
import type { Edit, Prepare } from './edits';

/** What the probe must report about each fact. A leading `?` means that the fact stays unknown. */
export type Seen = Partial<Record<FactId, string>>;

/** A server that differs from the documented one in one point. */
export interface Server {
	name: string;
	options?: SandboxOptions;
	/** Changes the responses, or the requests before the sandbox gets them. */
	edit?: Edit;
	prepare?: Prepare;
	/** Whether the point shows only when the probe writes, or provokes the limit. */
	part?: 'limit' | 'write';
	/** What differs from the documented server, fact by fact. */
	seen: Seen;
	/** What the probe must say about a record that stays behind. */
	left?: RegExp;
	/** Why the probe stops early. */
	stopped?: RegExp;
}

export const SUBSCRIBERS = /\/subscribers/;
