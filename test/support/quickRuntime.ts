import { runtime } from '../../nodes/Supercast/api/runtime';

/** Shortens the transport's waits for the tests of a file. */
export function useQuickRuntime(changes: Partial<typeof runtime>): void {
	const real = { ...runtime };
	beforeAll(() => Object.assign(runtime, changes));
	afterAll(() => Object.assign(runtime, real));
}
