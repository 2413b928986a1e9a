'use strict';
/**
 * Entry of `npm run demo`: installs the checkout's own packages if they are missing, then runs
 * demo.ts in the same process. It is plain JavaScript and needs only Node. npm passes a signal only
 * to its shell, which would not pass it on. So the npm script replaces the shell with `exec`.
 */
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..', '..');
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const script = join(root, 'tools', 'install-missing.js');
if (!existsSync(join(root, 'node_modules', '.installed-lockfile'))) {
	process.stderr.write(
		'The first start takes a few minutes. It installs the packages of this repository, then Node and n8n.\n',
	);
}
// A separate group, which can be ended as a whole, since the script runs npm.
const install = spawn(process.execPath, [script], { stdio: 'inherit', detached: true });
const stop = () => {
	process.kill(-install.pid, 'SIGTERM');
	process.exit(130);
};

for (const signal of signals) process.on(signal, stop);
install.once('exit', (code) => {
	for (const signal of signals) process.off(signal, stop);
	if (code !== 0) process.exit(code ?? 1);
	require('tsx/cjs');
	require('./demo.ts');
});
