import type { IDataObject } from 'n8n-workflow';

import { ListScan } from '../../../nodes/Supercast/trigger/listScan';

const hashOf = ({ id }: IDataObject): string => String(id);

/** A reading of pages with these IDs, in order. */
function scanOf(pages: number[][], total?: number, isThorough = true): ListScan {
	const scan = new ListScan(isThorough);
	for (const [index, ids] of pages.entries()) {
		scan.add({ records: ids.map((id) => ({ id })), total }, index + 1, hashOf);
	}
	return scan;
}

describe('the end of a reading', () => {
	it('is an empty page', () => {
		expect(scanOf([[1, 2], []]).isOver).toBe(true);
		expect(scanOf([[1, 2]]).isOver).toBe(false);
	});

	it('is where the total is reached', () => {
		expect(scanOf([[1, 2]], 2, false).isOver).toBe(true);
		expect(scanOf([[1, 2]], 3, false).isOver).toBe(false);
	});

	it('is only a page that is not full, if the reading is thorough', () => {
		expect(scanOf([[1, 2]], 2).isOver).toBe(false);
		expect(scanOf([[1, 2], [3]], 3).isOver).toBe(true);
	});

	it('is the fifth page in a row without a new record', () => {
		const [first, same] = [
			[1, 2],
			[2, 1],
		];
		expect(scanOf([first, same, same, same, same]).isOver).toBe(false);
		expect(scanOf([first, same, same, same, same, same]).isOver).toBe(true);
		expect(scanOf([first, same, same, same, same, [3], same]).isOver).toBe(false);
	});

	it('is unknown to a page out of order', () => {
		const scan = scanOf([[1, 2]], 9);
		expect(scan.add({ records: [], total: 9 }, 5, hashOf)).toEqual([]);
		expect([scan.isOver, scan.pages]).toEqual([false, 1]);
	});
});

it('returns the records of a page that no earlier page had', () => {
	const scan = scanOf([[1, 2]]);
	const records = [{ id: 2 }, { id: 3 }];
	expect(scan.add({ records }, 2, hashOf)).toEqual([['3', { id: 3 }]]);
});

describe('the size of a list', () => {
	it('is unknown without a total, or with one that is too low', () => {
		expect(scanOf([[1, 2]]).size()).toBeUndefined();
		expect(scanOf([[1, 2], [3]], 2).size()).toBeUndefined();
	});

	it('is the total of a steady list', () => {
		const scan = scanOf([[1, 2], [3]], 3);
		expect([scan.isSteady, scan.size()]).toEqual([true, 3]);
	});

	it('is at least what is left if records came and went', () => {
		const scan = new ListScan(false);
		scan.add({ records: [{ id: 1 }, { id: 2 }], total: 5 }, 1, hashOf);
		scan.add({ records: [{ id: 3 }, { id: 4 }], total: 4 }, 2, hashOf);
		expect([scan.isSteady, scan.highest, scan.size()]).toEqual([false, 5, 3]);
	});

	it('is not steady if a page repeats a record', () => {
		expect(scanOf([[1, 2], [2]], 3).isSteady).toBe(false);
	});
});
