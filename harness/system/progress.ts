const plainInterval = 15_000;
const terminalInterval = 1_000;

/**
 * Runs a step and shows its progress on stderr. On a terminal, it shows one line that counts the
 * seconds. Elsewhere, it prints a line every 15 seconds.
 */
export async function step<T>(label: string, work: () => Promise<T>): Promise<T> {
	const started = Date.now();
	const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
	const terminal = process.stderr.isTTY;
	const show = terminal
		? () => process.stderr.write(`\r\u001b[K  ${label} ... ${elapsed()}`)
		: () => process.stderr.write(`  ${label} ... ${elapsed()}\n`);
	if (terminal) show();
	else process.stderr.write(`  ${label} ...\n`);
	const timer = setInterval(show, terminal ? terminalInterval : plainInterval);
	try {
		const result = await work();
		process.stderr.write(`${terminal ? '\r\u001b[K' : ''}  ${label}: done in ${elapsed()}\n`);
		return result;
	} catch (error) {
		if (terminal) process.stderr.write('\n');
		throw error;
	} finally {
		clearInterval(timer);
	}
}
