'use strict';
// Preloaded into what the demo starts: a demo that is killed outright runs no clean-up of its own,
// but its end of this channel closes. The whole process group goes, helpers of the server included.
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
