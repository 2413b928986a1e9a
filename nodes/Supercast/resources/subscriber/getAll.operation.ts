import type { IDataObject } from 'n8n-workflow';

import { listProperties, simplifyProperty, wantedCount } from '../../shared/fields';
import { listRecords } from '../../transport/records';
import type { Operation } from '../types';
import { simplifySubscriber } from './subscriber';

/** Reads many subscribers. */
export const getAll: Operation = {
	name: 'Get Many',
	action: 'Get many subscribers',
	description: 'List the subscribers of the channel',
	properties: [...listProperties, simplifyProperty],
	execute: async (item) => {
		const simplify = item.parameter('simplify') === true;
		const records: IDataObject[] = [];
		const request = {
			method: 'GET',
			path: ['subscribers'],
			subject: { text: 'list of subscribers', isRecord: false },
		} as const;
		for await (const page of listRecords(item.client, request, wantedCount(item))) {
			for (const record of page) records.push(simplify ? simplifySubscriber(record) : record);
		}
		return records;
	},
};
