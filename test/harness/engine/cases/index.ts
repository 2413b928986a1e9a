import { administrationCases } from './administration';
import { contentCases } from './content';
import { peopleCases } from './people';
import type { Cases } from './shared';

/** A case for every operation that runs once per item. If one is missing, this does not compile. */
export const cases: Cases = { ...administrationCases, ...contentCases, ...peopleCases };
export { listCases } from './lists';
export type { OperationCase } from './shared';
