import { reading } from './reading';
import { switches, writeSwitches } from './switches';
import { limits } from './limits';
import { pages } from './pages';
import { writing } from './writing';
import type { Server } from './server';

export const servers: Server[] = [
	...switches,
	...pages,
	...reading,
	...writeSwitches,
	...writing,
	...limits,
];
