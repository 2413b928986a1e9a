const plainInterval = 15_000;
const terminalInterval = 1_000;

let plan: readonly string[] = [];

/** Says which steps come. Each of them then shows its number, and what comes after it. */
export function announceSteps(labels: readonly string[]): void {
	plan = labels;
	process.stderr.write(`${labels.length} steps:\n`);
	for (const label of labels) process.stderr.write(`  ${titleOf(label)}\n`);
	process.stderr.write('\n');
}

/**
 * Runs a step and shows its progress on stderr. On a terminal, it shows one line that counts the
 * seconds. Elsewhere, it prints a line every 15 seconds.
 * @param part How much of it is done, for example "3 of 7 packages".
 */
export async function step<T>(
	label: string,
	work: () => Promise<T>,
	part: () => string | undefined = () => undefined,
): Promise<T> {
	const started = Date.now();
	const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
	const terminal = process.stderr.isTTY;
	const title = titleOf(label);
	const state = () => [elapsed(), part(), nextAfter(label)].filter(Boolean).join(', ');
	const show = terminal
		? () => process.stderr.write(`\r\u001b[K  ${title} ... ${state()}`)
		: () => process.stderr.write(`  ${title} ... ${state()}\n`);
	if (terminal) show();
	else process.stderr.write(`  ${title} ...\n`);
	const timer = setInterval(show, terminal ? terminalInterval : plainInterval);
	try {
		const result = await work();
		process.stderr.write(`${terminal ? '\r\u001b[K' : ''}  ${title}: done in ${elapsed()}\n`);
		return result;
	} catch (error) {
		if (terminal) process.stderr.write('\n');
		throw error;
	} finally {
		clearInterval(timer);
	}
}

function titleOf(label: string): string {
	const at = plan.indexOf(label);
	return at < 0 ? label : `${at + 1}/${plan.length} ${label}`;
}

function nextAfter(label: string): string | undefined {
	const at = plan.indexOf(label);
	const next = at < 0 ? undefined : plan[at + 1];
	return next === undefined ? undefined : `next: ${next}`;
}
