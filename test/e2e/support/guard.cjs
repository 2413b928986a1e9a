'use strict';
/**
 * Runs a program that is not Node, so that it can be started like a Node program. It ends on a
 * signal to this process, or when the parent of this process is gone.
 *
 * Usage: node guard.cjs '{"command": "...", "args": [], "uid": 1, "gid": 1}'
 */
const { spawn } = require('node:child_process');

const { command, args, uid, gid } = JSON.parse(process.argv[2]);
const child = spawn(command, args, { stdio: 'inherit', uid, gid });

// The whole group gets the signal, including the program. SIGINT makes PostgreSQL end without
// waiting for its clients.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGINT'));
child.once('error', (error) => {
	process.stderr.write(`${error.message}\n`);
	process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 1));
