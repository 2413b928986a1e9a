import { PERSONALITIES, type PersonalityName, type Sandbox } from '../../../sandbox';
import { someOf } from '../../support/deep';
import { runSupercast } from '../../../harness/engine';
import { hintsOf } from '../../support/members';
import { quickPersonality, useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';
import { cases, type OperationCase } from '../../../harness/engine/cases';

const table = Object.entries(cases).flatMap(([resource, operations]) =>
	Object.entries(operations).map(([operation, tried]): [string, string, OperationCase] => [
		resource,
		operation,
		tried,
	]),
);

type Tried = [string, string, OperationCase];

async function run(
	sandbox: Sandbox,
	[resource, operation, tried]: Tried,
	items: Array<Record<string, unknown>>,
	onError?: 'continueRegularOutput',
) {
	return await runSupercast({
		parameters: { resource, operation, ...tried.parameters },
		credential: credentialOf(sandbox),
		items: items as never,
		...(onError === undefined ? {} : { onError }),
	});
}

/** The output for an item, if Supercast's response has a body. */
function expectedOutput({ settings }: Sandbox, [, operation, tried]: Tried, item: object): unknown {
	const { createdStatus, changedStatus, writeBodies } = settings;
	const isRead = ['get', 'getAll'].includes(operation);
	const status = operation === 'create' ? createdStatus : changedStatus;
	// An upsert reads the record in the end, unless it does not show yet.
	const isSilent =
		operation === 'upsert' ? settings.visibleAfterMs > 0 : status === 204 || !writeBodies;
	const given = item as never;
	const shown =
		isSilent && !isRead ? (tried.outputWithoutBody?.(given) ?? {}) : tried.output(given);
	return expect.objectContaining(shown) as unknown;
}

// A hundredth of the real times.
useQuickRuntime({ backoffMs: 5, visibleMs: 60 });

const personalities = Object.keys(PERSONALITIES) as PersonalityName[];

const hardest = someOf(personalities.reverse(), 1).map((name) => [name, name] as const);

describe.each([['default', undefined] as const, ...hardest])(
	'against a Supercast of the personality %s',
	(_name, personality) => {
		const sandbox = useSandbox(quickPersonality(personality));

		describe.each(table)('%s: %s', (...operation) => {
			const tried = operation[2];

			beforeEach(async () => await tried.prepare?.(sandbox.current));

			it('processes one item', async () => {
				const [item, untouched] = tried.items(sandbox.current);
				const before = tried.witness(sandbox.current, untouched);
				const itself = tried.witness(sandbox.current, item);
				const exists = tried.exists?.(sandbox.current) !== false;

				const { output, error } = await run(sandbox.current, operation, [item]);

				if (!exists) {
					expect([output, error?.context?.itemIndex]).toEqual([[], 0]);
					expect(tried.witness(sandbox.current, item)).toEqual(itself);
					return;
				}
				expect(error).toBeUndefined();
				expect(output).toEqual([
					{ json: expectedOutput(sandbox.current, operation, item), pairedItem: { item: 0 } },
				]);
				const expected = tried.after === undefined ? itself : tried.after(item);
				expect(tried.witness(sandbox.current, item)).toEqual(expected);
				const isOther = JSON.stringify(item) !== JSON.stringify(untouched);
				if (isOther) expect(tried.witness(sandbox.current, untouched)).toEqual(before);
			});

			it('processes the other items when the one between fails, each paired to its input', async () => {
				if (tried.exists?.(sandbox.current) === false) return;
				const [first, second] = tried.items(sandbox.current);
				const { failing } = tried;
				const items = failing === undefined ? [first, second] : [first, failing.item, second];
				const unchanged = tried.witness(sandbox.current, first);

				const result = await run(sandbox.current, operation, items, 'continueRegularOutput');
				const { output } = result;

				const succeeded = (item: typeof first) => expectedOutput(sandbox.current, operation, item);
				const outcomes =
					failing === undefined
						? [succeeded(first), succeeded(second)]
						: [
								succeeded(first),
								{ error: expect.stringMatching(failing.error) },
								succeeded(second),
							];
				expect(output.map(({ json }) => json)).toEqual(outcomes);
				expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
					items.map((_, item) => ({ item })),
				);
				const hint = hintsOf(result);
				if (failing !== undefined) expect(hint).toMatch(/^1 of 3 items failed: .*\[item 1,/);
				else expect(hint).not.toContain('failed');
				for (const item of [first, second]) {
					const expected = tried.after === undefined ? unchanged : tried.after(item);
					expect(tried.witness(sandbox.current, item)).toEqual(expected);
				}
			});

			const { failing } = tried;
			if (failing === undefined) return;

			it('stops at an item that fails, and names it', async () => {
				const { output, error } = await run(sandbox.current, operation, [failing.item]);

				expect(output).toEqual([]);
				expect(error?.message).toMatch(failing.error);
				expect(error?.context?.itemIndex).toBe(0);
				expect(error?.description).toBeTruthy();
			});
		});
	},
);
