import { getManyOperation } from '../../operations/getMany';
import { usageAlerts } from './usageAlert';

/** Reads many usage alerts. */
export const getAll = getManyOperation(usageAlerts, {
	action: 'Get many usage alerts',
	description: 'List the usage alerts that wait for an answer',
});
