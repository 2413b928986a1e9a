import { getOperation } from '../../operations/get';
import { subscribers } from './subscriber';

/** Reads one subscriber. */
export const get = getOperation(subscribers, {
	action: 'Get a subscriber',
	description: 'Look up one subscriber: their state, plan and private feed addresses',
});
