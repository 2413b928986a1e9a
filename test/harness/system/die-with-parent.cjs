'use strict';
// Preloaded into the programs that the demo starts. If the demo is killed, it can't clean up, but
// this channel to it closes. Then the whole process group ends, including the server's helpers.
if (process.channel) {
	process.channel.unref();
	process.once('disconnect', () => {
		const signalGroup = (signal) => {
			try {
				process.kill(-process.pid, signal);
			} catch {
				process.kill(process.pid, signal);
			}
		};
		setTimeout(signalGroup, 5_000, 'SIGKILL');
		signalGroup('SIGTERM');
	});
}
