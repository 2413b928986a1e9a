import { reading } from './reading';
import { switches, writeSwitches } from './switches';
import { limits, writing } from './writing';
import type { Server } from './server';

export const servers: Server[] = [...switches, ...reading, ...writeSwitches, ...writing, ...limits];
