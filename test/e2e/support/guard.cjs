'use strict';
/**
 * Runs a program that is not Node, so that it can be started like those that are: it ends when this
 * process is told to, or when its parent is gone.
 *
 * Usage: node guard.cjs '{"command": "...", "args": [], "uid": 1, "gid": 1}'
 */
const { spawn } = require('node:child_process');

const { command, args, uid, gid } = JSON.parse(process.argv[2]);
const child = spawn(command, args, { stdio: 'inherit', uid, gid });

// The group gets the signal, and so the program as well. SIGINT makes PostgreSQL end without waiting
// for its clients.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGINT'));
child.once('error', (error) => {
	process.stderr.write(`${error.message}\n`);
	process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 1));
