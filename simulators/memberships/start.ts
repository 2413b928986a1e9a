import { join } from 'node:path';

import { askMockServer, type MockAnswer, type PageRequest } from './requests';
import { startSharedServer, type SharedServer } from './server';
import type { MembershipSystem } from './system';

/** Membership systems, by their names. */
type Systems = Record<string, MembershipSystem>;

/** What all mock servers have in common, and what tests do with them. */
interface Started<Name extends string> extends SharedServer {
	/** The address of a system. Each system has all paths below it to itself. */
	addressOf: (name: Name) => string;
	/** Sends a request to a system, without the network. */
	ask: (name: Name, path: string, request?: Omit<PageRequest, 'path'>) => Promise<MockAnswer>;
	/** How many requests for its list a system received since `asked` was emptied. */
	requests: (name: Name) => number;
	/** Removes all members, injected faults and noted requests. */
	clear: () => void;
	/** Environment variables for n8n, so that its requests to fixed hosts reach the mock servers. */
	env: NodeJS.ProcessEnv;
	/** The text of a workflow file, with the addresses of the mock servers in place of other ones. */
	redirect: (file: string, text: string) => string;
}

/** The mock servers of some systems, by the names of the systems. */
export type MockServersOf<All extends Systems> = Started<keyof All & string> & {
	[Name in keyof All]: ReturnType<All[Name]['create']>;
};

/** Starts the mock servers of some systems. */
export async function startMockServersOf<All extends Systems>(
	systems: All,
): Promise<MockServersOf<All>> {
	const all = Object.entries(systems).map(([name, system]) => {
		return { name, system, server: system.create() };
	});
	const servers = Object.fromEntries(all.map(({ name, server }) => [name, server]));
	const shared = await startSharedServer(servers);
	const { origin, asked, faults } = shared;
	const addressOf = (name: string) => `${origin}/${name}`;
	const fixed = all.flatMap(({ name, system: { host } }) =>
		host === undefined ? [] : [[host, addressOf(name)] as const],
	);
	const started: Started<string> = {
		...shared,
		addressOf,
		ask: async (name, path, request) => await askMockServer(shared, `/${name}${path}`, request),
		requests: (name) => {
			const path = systems[name]?.list.path ?? '';
			return asked.filter((one) => one.system === name && one.url.startsWith(path)).length;
		},
		clear: () => {
			asked.length = 0;
			faults.length = 0;
			for (const { system, server } of all) {
				server.pageFaults.length = 0;
				system.members.of(server).all.length = 0;
			}
		},
		env: {
			NODE_OPTIONS: `--require ${join(__dirname, 'redirect.cjs')}`,
			MOCK_SERVERS: JSON.stringify(Object.fromEntries(fixed)),
		},
		redirect: (file, text) => {
			const own = all.find(({ system }) => system.file === file);
			const redirected = fixed.reduce(
				(before, [host, address]) => before.replaceAll(`https://${host}`, address),
				text,
			);
			if (own === undefined) return redirected;
			return redirected.replaceAll(/https:\/\/YOUR-SITE[\w.-]*/g, addressOf(own.name));
		},
	};
	return { ...started, ...servers } as MockServersOf<All>;
}
