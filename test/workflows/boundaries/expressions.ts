import { EMAILS } from './emails';
import { EVENTS } from './events';

/** Each expression by its file, its node and its field, except of those with tests in `members/`. */
export const EXPRESSIONS = { ...EMAILS, ...EVENTS };
