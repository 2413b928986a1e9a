import { ENOUGH, observeOrder, type Aged } from '../../../nodes/Supercast/trigger/order';

const numbered = (count: number, time?: (index: number) => number): Aged[] =>
	Array.from({ length: count }, (_, index) => ({
		id: String(index + 1),
		...(time === undefined ? {} : { createdAt: time(index) }),
	}));

const uuids = (count: number, time: (index: number) => number): Aged[] =>
	numbered(count, time).map((record) => ({ ...record, id: `uuid-${record.id}` }));

describe('observeOrder', () => {
	it('sees times that rise or fall', () => {
		const rising = uuids(ENOUGH, (index) => index);
		expect(observeOrder(rising)).toBe('oldest');
		expect(observeOrder([...rising].reverse())).toBe('newest');
	});

	it('sees numbers that rise or fall where there are no times', () => {
		expect(observeOrder(numbered(ENOUGH))).toBe('oldest');
		expect(observeOrder(numbered(ENOUGH).reverse())).toBe('newest');
	});

	it('takes numbers where all came in the same second, and does not take uuids', () => {
		expect(observeOrder(numbered(ENOUGH, () => 0).reverse())).toBe('newest');
		expect(observeOrder(uuids(ENOUGH, () => 0))).toBe('unclear');
	});

	it('does not judge by few', () => {
		expect(observeOrder(numbered(ENOUGH - 1))).toBe('unclear');
		expect(observeOrder([])).toBe('unclear');
	});

	it('sees none when one is out of place', () => {
		const rising = uuids(40, (index) => index);
		expect(observeOrder([...rising.slice(1), rising[0]!])).toBe('none');
		expect(observeOrder([...numbered(40).slice(1), { id: '1' }])).toBe('none');
	});

	it('does not believe numbers that contradict the times', () => {
		expect(observeOrder(numbered(40, (index) => -Math.floor(index / 20)))).toBe('none');
	});
});
