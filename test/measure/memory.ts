import { readFileSync } from 'node:fs';

/** Watches the memory of processes. Call the returned function to stop and to get the peak in MB. */
export function watchMemory(processIds: () => number[]): () => number {
	let most = 0;
	const look = () => {
		const now = processIds().reduce((sum, pid) => sum + residentMb(pid), 0);
		most = Math.max(most, now);
	};
	// A failed test does not stop the timer, so the timer must not keep the process alive.
	const timer = setInterval(look, 250).unref();
	return () => {
		clearInterval(timer);
		look();
		return Math.round(most);
	};
}

/** The memory of a process and of all processes that it started, in MB, as Linux reports it. */
function residentMb(pid: number): number {
	try {
		const of = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
		const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(of('status'))?.[1] ?? 0);
		const children = of(`task/${pid}/children`).split(' ').filter(Boolean).map(Number);
		return children.reduce((sum, child) => sum + residentMb(child), kilobytes / 1024);
	} catch {
		// It ended in the meantime.
		return 0;
	}
}
