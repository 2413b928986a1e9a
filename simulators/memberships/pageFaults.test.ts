import { startSenders, type Senders } from '../../simulators/memberships';
import {
	damageFacts,
	DAMAGES,
	type DamageKind,
	type Left,
	type MemberList,
} from '../../simulators/memberships/damages';
import { TOO_MANY } from '../../simulators/memberships/pages';
import { askSender, PER_PAGE, readers, type Answer } from './lists';

/** Someone who reads on after this many pages would never stop. */
const MOST = 12;
const COUNT = 5 * PER_PAGE - 3;
const ALL = Array.from({ length: COUNT }, (_, index) => `m${index}@example.com`);

const names = Object.keys(readers) as MemberList[];

let senders: Senders;

beforeAll(async () => {
	senders = await startSenders();
});
afterAll(async () => await senders.close());
beforeEach(() => {
	senders.damages.length = 0;
	senders.asked.length = 0;
	senders.stripe.subscriptions.length = 0;
	for (const name of names) if (name !== 'stripe') senders[name].people.all.length = 0;
});

/** Reads a list as someone does who believes each page. */
async function read(name: MemberList): Promise<{ left: Left | 'refused'; answers: Answer[] }> {
	const reader = readers[name];
	const answers: Answer[] = [];
	const emails = new Set<unknown>();
	for (let number = 1; number <= MOST; number++) {
		const answer = await reader.ask(senders, answers.at(-1)?.json, number);
		answers.push(answer);
		if (answer.status !== 200) return { left: 'refused', answers };
		const records = reader.records(answer);
		if (records === undefined) return { left: 'nothing', answers };
		for (const record of records) emails.add(reader.email(record));
		if (!reader.goesOn(answer))
			return { left: emails.size < COUNT ? 'fewer' : 'everyone', answers };
	}
	return { left: 'no end', answers };
}

const kinds = Object.keys(DAMAGES) as DamageKind[];
const cases = names.flatMap((name) =>
	kinds
		.filter((kind) => name !== 'list' || damageFacts[kind].needsPages !== true)
		.filter((kind) => readers[name].total !== undefined || damageFacts[kind].needsTotal !== true)
		.map((kind) => [name, kind] as const),
);

describe.each(names)('%s', (name) => {
	it('lists everyone, once each, if nothing is damaged', async () => {
		for (const email of ALL) readers[name].join(senders, email);
		const { left, answers } = await read(name);
		expect(left).toBe('everyone');
		expect(senders.requests(name)).toBe(answers.length);
		const total = readers[name].total?.(answers[0]!) ?? COUNT;
		expect(total).toBe(COUNT);
		const records = answers.flatMap((answer) => readers[name].records(answer) ?? []);
		expect(records).toHaveLength(COUNT);
	});
});

describe('the same damages in all lists', () => {
	/** What differs from the table, and why. */
	const exceptions: Partial<Record<`${MemberList} ${DamageKind}`, Left | 'refused'>> = {
		// Stripe refuses a cursor that is not in the list any more.
		'stripe recordGone': 'refused',
		// These say no next page, but the number of pages stays.
		'woocommerce endsEarly': 'everyone',
		// The page that is too short looks like the last one.
		'woocommerce recordLeftOut': 'fewer',
		// The cursor of a shuffled page can lead back.
		'stripe tiesShuffled': 'no end',
		// WooCommerce says the number of pages in a header, so an empty page looks like the last one.
		'woocommerce pagesEmpty': 'fewer',
		// A page without a last record has no cursor, so the list begins again.
		'stripe emptyPage': 'no end',
		// Half of a file is a file.
		'list cut': 'fewer',
	};

	it.each(cases)('%s %s', async (name, kind) => {
		for (const email of ALL) readers[name].join(senders, email);
		const page = name === 'list' ? 1 : 2;
		senders.damages.push({ list: name, kind, page });
		const { left, answers } = await read(name);
		expect(left).toBe(exceptions[`${name} ${kind}`] ?? damageFacts[kind].leaves);
		for (const { status } of answers.slice(0, -1)) expect(status).toBe(200);
		const total = readers[name].total?.(answers[1] ?? answers[0]!);
		if (kind === 'totalAbove') expect(total).toBe(COUNT + TOO_MANY);
		if (kind === 'totalMissing') expect(total ?? undefined).toBeUndefined();
		if (kind === 'errorsWithData' && name !== 'woocommerce' && name !== 'list')
			expect(answers[1]?.json).toHaveProperty('errors');
		if (kind === 'nonce') expect(answers[1]?.text).not.toBe(answers[2]?.text);
		senders.damages.length = 0;
		expect((await read(name)).left).toBe('everyone');
	});

	it('damages as many responses as a test says', async () => {
		for (const email of ALL) readers.ghost.join(senders, email);
		senders.damages.push({ list: 'ghost', kind: 'html', page: 2, times: 1 });
		expect([(await read('ghost')).left, (await read('ghost')).left]).toEqual([
			'nothing',
			'everyone',
		]);
	});

	it('sends HTML as HTML, and the others with the type that is not theirs', async () => {
		senders.damages.push({ list: 'stripe', kind: 'html' }, { list: 'ghost', kind: 'notice' });
		const [html, notice] = [
			await readers.stripe.ask(senders, undefined, 1),
			await readers.ghost.ask(senders, undefined, 1),
		];
		expect(html.headers.get('content-type')).toContain('text/html');
		expect(notice.headers.get('content-type')).toContain('application/json');
		expect(notice.text).toMatch(/^<br \/>\n<b>Notice<\/b>.*\n\{"members"/s);
	});

	it('counts the requests to each list', async () => {
		await readers.ghost.ask(senders, undefined, 1);
		await askSender(senders, '/v1/products');
		expect(names.filter((name) => senders.requests(name) > 0)).toEqual(['ghost']);
		expect(senders.requests('ghost')).toBe(1);
	});
});
