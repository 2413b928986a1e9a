'use strict';
// Preloaded into the programs that the demo starts. A demo that is killed cannot clean up, but its
// end of this channel closes. Then the whole process group ends, including helpers of the server.
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
