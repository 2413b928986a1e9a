import { type Cases, byId, noRecord, badJson, ids, has, sameId, listCase } from './shared';

export const contentCases: Pick<Cases, 'channel' | 'episode' | 'question'> = {
	channel: {
		get: {
			parameters: {},
			items: () => [{}, {}],
			witness: ({ state }) => state.channel.title,
			output: () => ({ subdomain: expect.any(String) }),
		},
		update: {
			parameters: { updateFields: { otherFields: '={{ $json.other }}' } },
			items: () => [{ other: '{ "title": "Renamed" }' }, { other: '{ "title": "Renamed" }' }],
			failing: badJson,
			witness: ({ state }) => state.channel.title,
			after: () => 'Renamed',
			output: () => ({ title: 'Renamed' }),
		},
	},
	episode: {
		create: {
			parameters: {
				title: '={{ $json.title }}',
				additionalFields: { explicit: 'yes', publishedAt: '2026-03-01T10:00:00' },
			},
			items: () => [{ title: 'One' }, { title: 'Two' }],
			failing: { item: { title: '' }, error: /'Title' is empty/ },
			witness: ({ state }, { title }) =>
				state.episodes.find((episode) => episode.title === title)?.explicit,
			after: () => 'yes',
			output: ({ title }) => ({ title }),
			outputWithoutBody: ({ title }) => ({ title }),
		},
		delete: {
			parameters: { episode: byId },
			items: ids(({ state }) => state.episodes),
			failing: noRecord,
			witness: ({ state }, item) => has(state.episodes, item),
			after: () => false,
			output: ({ id }) => ({ deleted: true, id }),
			outputWithoutBody: ({ id }) => ({ deleted: true, id }),
		},
		get: {
			parameters: { episode: byId },
			items: ids(({ state }) => state.episodes),
			failing: noRecord,
			witness: ({ state }, item) => has(state.episodes, item),
			output: ({ id }) => ({ id: sameId(id) }),
		},
		getAll: listCase(({ state }) => state.episodes.length),
		update: {
			parameters: { episode: byId, updateFields: { summary: 'Changed' } },
			items: ids(({ state }) => state.episodes),
			failing: noRecord,
			witness: ({ state }, { id }) =>
				state.episodes.find((episode) => String(episode.id) === id)?.summary,
			after: () => 'Changed',
			output: ({ id }) => ({ id: sameId(id), summary: 'Changed' }),
			outputWithoutBody: ({ id }) => ({ updated: true, id }),
		},
	},
	question: {
		create: {
			parameters: { title: '={{ $json.title }}', additionalFields: { body: 'At length' } },
			items: () => [{ title: 'Why?' }, { title: 'How?' }],
			failing: { item: { title: ' ' }, error: /'Title' is empty/ },
			witness: ({ state }, { title }) =>
				state.questions.find((question) => question.title === title)?.body,
			after: () => 'At length',
			output: ({ title }) => ({ title, body: 'At length' }),
			outputWithoutBody: ({ title }) => ({ title }),
			exists: ({ settings }) => settings.createQuestions,
		},
		getAll: listCase(({ state }) => state.questions.length),
	},
};
