import { held } from '../../doubles/directSupercast';
import { parametersOf, Show, type Row, type Settings } from './show';
import { setAccess } from '../../../nodes/Supercast/access/setAccess';
import { accessOutput, leftOutput } from '../../../nodes/Supercast/report/setAccess';
import { DirectSupercast } from '../../doubles/directSupercast';

const ann = { email: 'm1@a.com', id: 'c-1' };
const member: Row = { email: 'm2@a.com', id: 'c-2', status: 'active' };

/** A record that is unclear, what Sync says about it, and what the user then does. */
interface Case {
	row: Row;
	others?: Row[];
	settings?: Settings;
	what: string;
	advice: string;
	done: { row?: Row; settings?: Settings; others?: Row[] };
}

const products = { options: { products: 'Podcast', otherProducts: 'Mug' } };
const withProduct = { ...member, product: 'Podcast' };

const CASES: Record<string, Case> = {
	'a status in no list': {
		row: { ...ann, status: 'zombie' },
		what: 'the status "zombie" is in no list',
		advice: "enter zombie in 'Open For', 'Keep For' or 'Close For'",
		done: { settings: { openFor: 'active\nzombie' } },
	},
	'no status': {
		row: { ...ann },
		what: 'the record has no status',
		advice: "enter (empty) in 'Open For', 'Keep For' or 'Close For'",
		done: { settings: { openFor: 'active\n(empty)' } },
	},
	'a lost column, even if a list has (empty)': {
		row: { ...ann },
		others: [{ email: 'm2@a.com', id: 'c-2' }],
		settings: { openFor: 'active\n(empty)' },
		what: "'Status' is empty in all records",
		advice: "Choose the field again in 'Status'. It may have a new name.",
		done: { row: { ...ann, status: 'active' }, others: [member] },
	},
	'another value of Access': {
		row: { ...ann, access: 'yes' },
		what: '\'Access\' is "yes"',
		advice: "Correct 'Access', so that it gives open, keep, close or byStatus.",
		done: { row: { ...ann, access: 'open' } },
	},
	'a product in no list': {
		row: { ...ann, status: 'active', product: 'Cap' },
		others: [withProduct],
		settings: products,
		what: 'the product "Cap" is in no list',
		advice: "enter Cap in 'Products That Count' or 'Other Products'",
		done: { settings: { options: { products: 'Podcast\nCap', otherProducts: 'Mug' } } },
	},
	'no product': {
		row: { ...ann, status: 'active' },
		others: [withProduct],
		settings: products,
		what: 'the record has no product',
		advice: "enter (empty) in 'Products That Count' or 'Other Products'",
		done: { settings: { options: { products: 'Podcast\n(empty)' } } },
	},
	'a lost product': {
		row: { ...ann, status: 'active' },
		settings: products,
		what: "'Product' is empty in all records",
		advice: "Choose the field again in 'Product'. It may have a new name.",
		done: {
			row: { ...ann, status: 'active', product: 'Podcast' },
			others: [withProduct],
		},
	},
	'a day that cannot be read': {
		row: { ...ann, status: 'active', until: '12/14/2026' },
		what: '\'Access Until\' is "12/14/2026", which is not a day',
		advice: "Change 'Access Until', so that it gives days such as 2026-01-31.",
		done: { row: { ...ann, status: 'active', until: '2026-12-14' } },
	},
};

describe('someone who is unclear', () => {
	it.each(Object.entries(CASES))(
		'because of %s is named with the cause, and the advice helps',
		async (_, one) => {
			const { row, others = [member], settings = {}, what, advice, done } = one;
			const show = new Show([held(1), held(2)]);
			const told = await show.list([row, ...others], settings);
			for (const text of [told.text, told.page.replace(/&#39;/g, "'").replace(/&quot;/g, '"')]) {
				expect(text).toContain(what);
				expect(text).toContain(advice);
				expect(text).toContain('m1@a.com');
			}
			const [item] = told.items.filter(({ email }) => email === 'm1@a.com');
			expect(item).toMatchObject({ action: 'kept', reason: what });
			expect(show.open).toContain('m1@a.com');
			const after = await show.list([done.row ?? row, ...(done.others ?? others)], {
				...settings,
				...done.settings,
			});
			expect(after.numbers.unclear).toBe(0);
		},
	);

	it('is told by Set Access with the same cause and advice', async () => {
		const tell = async (row: Row, settings: Settings = {}) => {
			const item = parametersOf(row, settings);
			const task = setAccess(accessOutput, leftOutput).prepare(item);
			const [output] = await task.run(new DirectSupercast([held(1)], 0));
			return output!;
		};
		expect(await tell({ ...ann, status: 'zombie' })).toMatchObject({
			...{ access: 'unclear', action: 'kept', state: null },
			reason:
				'The access of m1@a.com, c-1 is unclear, so nothing changed: the status "zombie" is in no list.',
			attention: expect.stringMatching(
				/in no list\. Decide .* enter zombie in 'Open For', 'Keep For' or 'Close For'\.$/,
			),
		});
		// One record is no list, so a status may just be lost.
		expect(await tell(ann)).toMatchObject({
			attention: expect.stringMatching(
				/: 'Status' is empty\. Choose the field again in 'Status'\./,
			),
		});
		expect(await tell({ ...ann, status: 'active', until: '12/14/2026' })).toMatchObject({
			attention: expect.stringContaining('gives days such as 2026-01-31'),
		});
	});

	it('has a customer ID as a last resort of a name', async () => {
		const { page, text } = await new Show([held(2)]).list([{ id: 'c-9', status: 'odd' }, member]);
		expect(text).toContain('the status "odd" is in no list, for 1 person: c-9 (no feed). Decide');
		expect(page).toContain('c-9');
	});

	it('is named even if another record of the same person pays', async () => {
		const rows = [member, { ...member, id: 'c-3', status: 'odd' }];
		const { items, numbers } = await new Show([held(2)]).list(rows);
		expect(items[0]).toMatchObject({ action: 'unchanged', email: 'm2@a.com' });
		expect(numbers).toMatchObject({ unclear: 1, members: 1 });
	});
});
