'use strict';
/**
 * Loaded into n8n by a measurement. Notes each time during which n8n could do nothing else, in the
 * file that BLOCKS_FILE names, with the process's number at its end.
 */
const { appendFileSync } = require('node:fs');

const LOOK_MS = 10;
const SHORTEST_MS = 50;
const file = process.env.BLOCKS_FILE;

if (file) {
	let last = Date.now();
	const timer = setInterval(() => {
		const now = Date.now();
		const ms = now - last - LOOK_MS;
		if (ms >= SHORTEST_MS)
			appendFileSync(`${file}.${process.pid}`, `${JSON.stringify({ at: last, ms })}\n`);
		last = now;
	}, LOOK_MS);
	timer.unref();
}
