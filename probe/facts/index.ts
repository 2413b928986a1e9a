import { accessFacts } from './access';
import { fieldFacts } from './fields';
import { listFacts } from './lists';
import { recordFacts } from './records';
import { writeFacts } from './writes';
import type { Fact } from '../finding';

const all = { ...accessFacts, ...listFacts, ...recordFacts, ...fieldFacts, ...writeFacts };

export type FactId = keyof typeof all;

/** What is known of the service, and what is inferred: the one list of docs/service.md and the probe. */
export const facts: Record<FactId, Fact> = all;
