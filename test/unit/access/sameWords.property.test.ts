import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { runs } from '../../support/deep';
import { QuickNode, useJumpingClock } from '../../support/quickNode';
import { row, SET_ACCESS, SYNC, TestChannel } from './channel';

const clock = useJumpingClock();

const SIGN = fc.constantFrom(...'., $[](){}"\'`/*+?|\\:;-_=%');
const LETTER = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 });
const keyOf = (text: string): string => text.trim().toLowerCase().normalize('NFC');

/** Whatever a membership system may call a status: with signs, capitals, spaces, and in any language. */
const word = fc
	.array(fc.oneof(SIGN, LETTER), { minLength: 1, maxLength: 30 })
	.map((parts) =>
		parts
			.join('')
			.replace(/\p{C}|\p{Z}|\p{DI}/gu, ' ')
			.trim(),
	)
	.filter((text) => text !== '' && !/^\((empty|other)\)$/i.test(text));

/** How another record may spell it. Some letters have several capitals. */
const spelled = (text: string): fc.Arbitrary<string> =>
	fc
		.constantFrom(text, ` ${text}\t`, text.toUpperCase(), text.toLowerCase())
		.filter((one) => keyOf(one) === keyOf(text));

/** Three words for three lists, and one for none. No word is a part of another one. */
const words = fc
	.uniqueArray(word, { minLength: 4, maxLength: 4, selector: keyOf })
	.filter((all) => {
		const parts = all.flatMap((one) => (one.includes(',') ? one.split(',') : []).map(keyOf));
		return new Set(parts).size === parts.length && !all.some((one) => parts.includes(keyOf(one)));
	});

const cases = words.chain((all) =>
	fc.record({
		words: fc.constant(all),
		status: fc.constantFrom(0, 1, 2, 3).chain((at) => fc.tuple(fc.constant(at), spelled(all[at]!))),
		feed: fc.constantFrom('none', 'available', 'deactivated'),
	}),
);

it('the same words give the same results in Sync and in Set Access', async () => {
	await fc.assert(
		fc.asyncProperty(cases, async ({ words: [openFor, keepFor, closeFor], status, feed }) => {
			const lists = { access: 'byStatus', openFor, keepFor, closeFor } as INodeParameters;
			const [at, text] = status;
			const states = [];
			for (const operation of [SYNC, SET_ACCESS]) {
				const channel = new TestChannel(clock, feed === 'none' ? [] : [[1, { state: feed }]]);
				const node = new QuickNode(channel.service, clock, 'node');
				const items = [row(1, { status: text })];
				const { error } = await node.run({ parameters: { ...operation, ...lists }, items });
				expect(error).toBeUndefined();
				states.push(channel.service.subscribers.map(({ state }) => state));
			}
			const before = feed === 'none' ? [] : [feed];
			const after = [['available'], before, before.map(() => 'deactivated'), before][at];
			expect(states).toEqual([after, after]);
		}),
		runs(60),
	);
});
