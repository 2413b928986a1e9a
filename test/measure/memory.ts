import { readFileSync } from 'node:fs';

/** Measures until the returned function is called, which says how many MB a program held at most. */
export function watchMemory(pid: () => number): () => number {
	let most = 0;
	const look = () => {
		most = Math.max(most, residentMb(pid()));
	};
	// A test that fails does not stop it.
	const timer = setInterval(look, 250).unref();
	return () => {
		clearInterval(timer);
		look();
		return Math.round(most);
	};
}

/** The memory of a process and of all that it started. The numbers of Linux, in MB. */
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
