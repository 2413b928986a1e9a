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
			parameters: {
				name: '={{ $json.name }}',
				additionalFields: {
					description: 'Publishes episodes',
					otherFields: '={{ $json.other ?? "{}" }}',
				},
			},
			items: () => [{ name: 'Editor' }, { name: 'Host' }],
			failing: { ...badJson, item: { name: 'Guest', ...badJson.item } },
			witness: ({ state }, { name }) => state.roles.find((role) => role.name === name)?.description,
			after: () => 'Publishes episodes',
			output: ({ name }) => ({ name, description: 'Publishes episodes' }),
			outputWithoutBody: ({ name }) => ({ name }),
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
