/** The facts that pages repeat most often. Each has one home. To add a fact, add a row. */

import { SYNC } from './sync';
import { OPERATE } from './operate';
import { FAILURES } from './failures';
import { PRIVACY } from './privacy';
import { SET_UP } from './setUp';
import type { Fact } from './fact';

export const FACTS: readonly Fact[] = [...SYNC, ...OPERATE, ...FAILURES, ...PRIVACY, ...SET_UP];
