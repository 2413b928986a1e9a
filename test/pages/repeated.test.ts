import { sync } from '../../nodes/Supercast/access/parameters';
import { LISTS_APART_MS } from '../../nodes/Supercast/access/sync/memory';
import { MINUTE_MS } from '../../nodes/Supercast/api/clock';
import { STATES, SUBSCRIBER_STATES } from '../../nodes/Supercast/subscriber/states';
import { pageAt, sectionOf } from '../support/pages';
import { memberFiles } from '../workflows/files';

/** What pages repeat of a table or a default, so that a change of one finds the others. */

describe('the states of subscribers', () => {
	it('are those in the table of facts', () => {
		const [, row = ''] = /^\| states \|([^|]*)\|/m.exec(pageAt('tools/probe/FACTS.md')) ?? [];
		const named = [...row.matchAll(/`(\w+)`/g)].map(([, state]) => state);
		expect(named.sort()).toEqual([...SUBSCRIBER_STATES].sort());
	});

	it('have a line each for members who return, unless the feed is open', () => {
		const section = sectionOf(pageAt('docs/operate.md'), 'returning-members');
		const closed = SUBSCRIBER_STATES.filter((state) => !STATES[state].isOpen);
		expect(closed.filter((state) => !section.includes(`\`${state}\``))).toEqual([]);
	});
});

describe('how many lists close a feed', () => {
	const parameterOf = (name: string) =>
		[...sync.properties, ...sync.options].find((one) => one.name === name);
	const count = Number(parameterOf('closeAfter')?.default);
	const lists = `${['no', 'one', 'two', 'three', 'four', 'five'][count]} lists`;
	const inRow = `${lists} in a row`;

	it.each([
		['docs/sync.md', `when ${inRow.replace('lists', 'complete lists')}`],
		['docs/sync.md', 'at least a minute after the last one that counted'],
		['docs/operate.md', `for ${5 * (count - 1)} to ${5 * count} minutes, because [${lists}]`],
		['README.md', inRow],
		...memberFiles.map((file) => [`workflows/${file}.json`, inRow]),
	])('is what %s says: %s', (page = '', text = '') => {
		expect(pageAt(page)).toContain(text);
	});

	it('is what the parameter says that chooses whose feeds close', () => {
		expect(parameterOf('close')?.description).toContain(inRow);
		expect(LISTS_APART_MS).toBe(MINUTE_MS);
	});
});
