import type { IDataObject } from 'n8n-workflow';

import { type Cases, byId, noRecord, badJson, ids, has, sameId, listCase } from './shared';

export const administrationCases: Pick<Cases, 'invite' | 'role' | 'usageAlert'> = {
	invite: {
		delete: {
			parameters: { invite: byId },
			items: ids(({ state }) => state.invites),
			failing: noRecord,
			witness: ({ state }, item) => has(state.invites, item),
			after: () => false,
			output: ({ id }) => ({ deleted: true, id }),
			outputWithoutBody: ({ id }) => ({ deleted: true, id }),
		},
		getAll: listCase(({ state }) => state.invites.length),
	},
	role: {
		create: {
			parameters: { additionalFields: { otherFields: '={{ $json.other }}' } },
			items: () => [{ other: '{ "name": "Editor" }' }, { other: '{ "name": "Host" }' }],
			failing: badJson,
			witness: ({ state }, { other }) =>
				state.roles.some(({ name }) => String(other).includes(`"${name}"`)),
			after: () => true,
			output: ({ other }) => JSON.parse(String(other)) as IDataObject,
			outputWithoutBody: () => ({ created: true }),
		},
		delete: {
			parameters: { role: byId },
			items: ids(({ state }) => state.roles),
			failing: noRecord,
			witness: ({ state }, item) => has(state.roles, item),
			after: () => false,
			output: ({ id }) => ({ deleted: true, id }),
			outputWithoutBody: ({ id }) => ({ deleted: true, id }),
		},
		get: {
			parameters: { role: byId },
			items: ids(({ state }) => state.roles),
			failing: noRecord,
			witness: ({ state }, item) => has(state.roles, item),
			output: ({ id }) => ({ id: sameId(id) }),
		},
		getAll: listCase(({ state }) => state.roles.length),
		update: {
			parameters: { role: byId, updateFields: { otherFields: '{ "description": "Changed" }' } },
			items: ids(({ state }) => state.roles),
			failing: noRecord,
			witness: ({ state }, { id }) =>
				state.roles.find((role) => String(role.id) === id)?.description,
			after: () => 'Changed',
			output: () => ({ description: 'Changed' }),
			outputWithoutBody: ({ id }) => ({ updated: true, id }),
		},
	},
	usageAlert: {
		dismiss: {
			parameters: { usageAlert: byId },
			items: ids(({ state }) => state.usageAlerts),
			failing: noRecord,
			witness: ({ state }, item) => has(state.usageAlerts, item),
			after: () => false,
			output: () => ({}),
		},
		getAll: listCase(({ state }) => state.usageAlerts.length),
		ignore: {
			parameters: { usageAlert: byId },
			items: ids(({ state }) => state.usageAlerts),
			failing: noRecord,
			witness: ({ state }, item) => has(state.usageAlerts, item),
			after: () => false,
			output: () => ({}),
		},
		suspend: {
			parameters: { usageAlert: byId },
			items: ids(({ state }) => state.usageAlerts),
			failing: noRecord,
			witness: ({ state }, item) => has(state.usageAlerts, item),
			after: () => false,
			output: () => ({}),
		},
	},
};
