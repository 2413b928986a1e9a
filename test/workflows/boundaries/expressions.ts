import { EMAILS } from './emails';
import { EVENTS } from './events';

/** Each expression of the workflows that keep no list, by its file, its node and its field. */
export const EXPRESSIONS = { ...EMAILS, ...EVENTS };
