import { monitorEventLoopDelay } from 'node:perf_hooks';

/** If a timer of an idle process is later than this, other programs take its processor. */
const BUSY_MS = 100;

/** How late the timers of this process were, in milliseconds: 99 of 100 were no later. */
export interface Strain {
	lateMs: number;
	/** Whether the machine was too busy for a statement about speed. */
	isBusy: boolean;
}

/** Watches how busy the machine is while `work` runs. */
export async function withStrain<T>(
	work: () => Promise<T>,
): Promise<{ result: T; strain: Strain }> {
	const delay = monitorEventLoopDelay({ resolution: 10 });
	delay.enable();
	const result = await work();
	delay.disable();
	const lateMs = Math.round(delay.percentile(99) / 1e6) - 10;
	return { result, strain: { lateMs, isBusy: lateMs > BUSY_MS } };
}
