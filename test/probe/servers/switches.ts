import type { Server } from './server';

type Unnamed = Omit<Server, 'name'>;

export const switches = (
	[
		{ options: { perPageMax: 20 }, seen: { 'largest-page': '20 of 100' } },
		{
			options: { perPageMax: 50, perPageTooLarge: 'reject' },
			seen: { 'largest-page': 'refused (422)' },
		},
		{
			options: { headers: 'plain' },
			seen: {
				'paging-headers': 'link, page, per-page, total',
				'page-headers': '? no such headers',
				total: '? no total, or no records',
				'largest-page': '? the list is shorter than a page',
			},
		},
		{
			options: { headers: 'total' },
			seen: {
				'paging-headers': 'x-total',
				'page-headers': '? no such headers',
				'largest-page': '? the list is shorter than a page',
			},
		},
		{
			options: { headers: 'none' },
			seen: {
				'paging-headers': 'none',
				'page-headers': '? no such headers',
				total: '? no total, or no records',
				'largest-page': '? the list is shorter than a page',
			},
		},
		{
			options: { wrapLists: 'name' },
			seen: { 'list-form': 'an object with the list under its own name' },
		},
		{ options: { wrapLists: 'data' }, seen: { 'list-form': 'an object with "data"' } },
		{
			options: { wrapLists: 'each' },
			seen: { 'list-elements': 'each inside an object under its own name' },
		},
		{ options: { wrapRecords: 'name' }, seen: { 'record-form': 'an object inside another' } },
		{ options: { dates: 'unix' }, seen: { times: 'seconds since 1970' } },
		{ options: { emailLookup: 'exact' }, seen: { 'other-capitals': '404, JSON' } },
		{
			options: { webPages: 'unknownAddress' },
			seen: { 'wrong-address': '404, a web page' },
		},
		{
			options: { webPages: 'notFound' },
			seen: { 'wrong-address': '404, a web page', 'missing-record': '404, a web page' },
		},
		{
			options: { webPages: 'always' },
			seen: {
				'wrong-address': '404, a web page',
				'missing-record': '404, a web page',
				'error-message': '? no error had a JSON body',
			},
		},
		{ options: { errorBody: 'error' }, seen: { 'error-message': 'in 0 of 3' } },
		{ options: { errorBody: 'fields' }, seen: { 'error-message': 'in 0 of 3' } },
		{ options: { shortPath: false }, seen: { 'both-paths': '404, JSON under the other path' } },
		{ options: { dateHeader: false }, seen: { 'date-header': 'no date' } },
	] as Unnamed[]
).map((server): Server => ({ ...server, name: JSON.stringify(server.options) }));

export const writeSwitches = (
	[
		{
			options: { onExistingEmail: 'conflict' },
			seen: { 'known-email': '409, JSON' },
		},
		{
			options: { onExistingEmail: 'reactivate' },
			seen: { 'known-email': '200, the same subscriber' },
		},
		{
			options: { onExistingEmail: 'duplicate' },
			seen: {
				'known-email': '201, another subscriber',
			},
		},
		{ options: { visibleAfterMs: 5_000 }, seen: { 'visible-at-once': 'after 6 s' } },
		{
			options: { recreated: 'same' },
			seen: { 'new-uuid': 'the same uuid', 'new-address': 'the same feed address' },
		},
		{ options: { createdStatus: 200 }, seen: { created: '200, the record' } },
		{ options: { createdStatus: 204 }, seen: { created: '204, no body' } },
		{ options: { changedStatus: 204 }, seen: { changed: '204, no body' } },
		{
			options: { writeBodies: false },
			seen: { created: '201, no body', changed: '200, no body' },
		},
		{
			options: { deleted: 'kept' },
			seen: {
				deleted: '200, then 200, deactivated',
				'deleted-again': '? the probe did not get this far',
				'new-uuid': '? the probe did not get this far',
				'new-address': '? the probe did not get this far',
			},
			left: /is left \(deactivated\)/,
		},
	] as Unnamed[]
).map((server): Server => ({ ...server, name: JSON.stringify(server.options), part: 'write' }));
