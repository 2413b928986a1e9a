import { EMAILS } from './emails';
import { EVENTS } from './events';
import { SYSTEM_CALLS } from './anySystem';
import { MEMBERS } from './members';

/** Each expression by its file, its node and its field. */
export const EXPRESSIONS = { ...EMAILS, ...EVENTS, ...SYSTEM_CALLS, ...MEMBERS };
