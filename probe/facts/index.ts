import { accessFacts } from './access';
import { fieldFacts } from './fields';
import { listFacts } from './lists';
import { recordFacts } from './records';
import { writeFacts } from './writes';
import type { Fact } from '../finding';

const all = { ...accessFacts, ...listFacts, ...recordFacts, ...fieldFacts, ...writeFacts };

export type FactId = keyof typeof all;

/**
 * What is known about Supercast, and what is inferred. docs/service.md and the probe both use this
 * list.
 */
export const facts: Record<FactId, Fact> = all;
