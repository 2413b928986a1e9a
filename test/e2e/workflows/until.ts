/** Waits until a condition is true. */
export async function until(
	what: string,
	isSo: () => boolean | Promise<boolean>,
	patienceMs = 30_000,
): Promise<void> {
	const deadline = Date.now() + patienceMs;
	while (!(await isSo())) {
		if (Date.now() > deadline) throw new Error(`Waited in vain: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 150));
	}
}
