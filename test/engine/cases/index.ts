import { administrationCases } from './administration';
import { contentCases } from './content';
import { peopleCases } from './people';
import type { Cases } from './shared';

/** A case for every operation: one that is forgotten does not compile. */
export const cases: Cases = { ...administrationCases, ...contentCases, ...peopleCases };
export type { OperationCase } from './shared';
