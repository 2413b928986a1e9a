import { JOINED, SYSTEMS, systemsOf } from '../../../simulators/memberships';
import type { Workflow } from '../../harness/n8n/setup';
import {
	after,
	before,
	memberFiles,
	nodeNamed,
	nodesOf,
	nodesReadIn,
	of,
	readWorkflowFile,
	texts,
} from '../files';

/** The width and the height of a node. */
const SIZE = 96;

/** The color of the note that says what a person must do. All others have none. */
const MUST = 4;
const NO_COLOR = 7;

const files = memberFiles.map((name) => `${name}.json`);
const parametersOf = (file: string, name: string) => nodeNamed(file, name)?.parameters ?? {};
const notesOf = (file: string) =>
	readWorkflowFile(file).nodes.filter(({ type }) => type.endsWith('.stickyNote'));

/** The most nodes, without notes: more where the workflow asks for new members, and their products. */
const MOST: Record<string, number> = {
	...Object.fromEntries(
		Object.values(SYSTEMS).map(({ file, workflow }) => [file, workflow.newMembers ? 14 : 10]),
	),
	'stripe.json': 15,
	...Object.fromEntries(Object.keys(JOINED).map((file) => [file, 19])),
	'any-system.json': 8,
};

it('all files are tested here', () => {
	expect(Object.keys(MOST).sort()).toEqual([...files, 'any-system.json'].sort());
});

describe.each(Object.keys(MOST))('%s', (file) => {
	const nodes = nodesOf(file);

	it(`has at most ${MOST[file]} nodes, and three notes`, () => {
		expect(nodes.length).toBeLessThanOrEqual(MOST[file]!);
		expect(notesOf(file).length).toBeLessThanOrEqual(3);
	});

	it('leaves every judgement to the Supercast node', () => {
		const judging = nodes.filter(({ type }) => /\.(set|if|switch|code|limit)$/.test(type));
		expect(judging.map(({ name }) => name)).toEqual([]);
	});

	it('has one color, for what a person must do', () => {
		const colors = notesOf(file).map(({ parameters }) => parameters.color);
		expect(colors).toEqual([MUST, ...colors.slice(1).map(() => NO_COLOR)]);
	});

	it('fits into the editor at a size that one can read', () => {
		const { width, height } = extent(readWorkflowFile(file));
		expect(width).toBeLessThanOrEqual(1_800);
		expect(height).toBeLessThanOrEqual(900);
	});

	it('tells the same alert once, and again if the email could not be sent', () => {
		expect(after(file, 'New Alerts Only')).toEqual(['Email to You']);
		expect(after(file, 'Email to You', 1)).toEqual(['Tell Again Later']);
		const scope = { scope: 'workflow' };
		for (const name of ['New Alerts Only', 'Tell Again Later'])
			expect(parametersOf(file, name).options).toMatchObject(scope);
		// Clearing the alerts must not clear whom Set Access has opened.
		expect(JSON.stringify(parametersOf(file, 'Not Seen Yet'))).not.toContain('workflow');
	});
});

describe.each(files)('the line of %s', (file) => {
	const { options, ...parameters } = parametersOf(file, 'Sync') as { options: object };
	const systems = systemsOf(file).map((name) => SYSTEMS[name]);

	it('ends in Sync, which ships with Dry Run on, and stops the run if something is wrong', () => {
		expect(parameters).toMatchObject({
			...{ dryRun: true, access: 'byStatus', close: 'prefix', maxClosePercent: 10 },
		});
		expect(options).toMatchObject({ output: 'summary' });
		expect(nodeNamed(file, 'Sync')).not.toHaveProperty('onError');
		expect(after(file, 'Sync')).toEqual(['New Alerts Only']);
		expect(after(file, 'When Something Fails')).toEqual(['New Alerts Only']);
	});

	it('has the prefix of its systems', () => {
		const prefixes = systems.map(({ workflow }) => workflow.prefix);
		expect(parameters).toMatchObject({ customerIdPrefix: prefixes.join(', ') });
	});

	it('lets an empty list reach Sync, which refuses it', () => {
		const way = (name: string): string[] =>
			nodeNamed(file, name)?.type.endsWith('.merge') ? before(file, name).flatMap(way) : [name];
		const last = before(file, 'Sync').flatMap(way);
		for (const name of last)
			expect([name, nodeNamed(file, name)?.alwaysOutputData]).toEqual([name, true]);
	});

	it('tells Sync which record each item is, and how many there are', () => {
		// A file says nothing of how many rows it should have.
		const isKnown = !systems.some(({ list }) => list.isOnePage === true);
		expect('recordId' in options && 'recordsExpected' in options).toBe(isKnown);
	});

	it('reads the list once, however many items the node before it returns', () => {
		const readers = of(file, '.httpRequest').filter(({ name }) => /^Read (All|Stripe)/.test(name));
		for (const { name, executeOnce } of readers) {
			const isAfterPages = before(file, name).some(
				(one) => nodeNamed(file, one)?.parameters.url === 'https://api.stripe.com/v1/products',
			);
			expect([name, executeOnce ?? false]).toEqual([name, isAfterPages]);
		}
	});

	it('does not save the data of executions that succeed', () => {
		expect(readWorkflowFile(file).settings).toMatchObject({
			...{ executionOrder: 'v1', saveDataSuccessExecution: 'none' },
		});
	});

	it('reads no further after a node that its note invites to delete', () => {
		const deletable = [
			'Every Minute',
			'Read Products Again',
			'Read New',
			'Each New',
			'Not Seen Yet',
			'Set Access',
		];
		const isDeletable = (name: string) => deletable.some((one) => name.startsWith(one));
		const read = nodesOf(file)
			.filter(({ name }) => !isDeletable(name))
			.flatMap(({ parameters: own }) => nodesReadIn(texts(own)));
		expect(read.filter(isDeletable)).toEqual([]);
	});

	if (nodeNamed(file, 'Set Access') === undefined) return;

	it('opens feeds of new members by the words of Sync, and closes none', () => {
		const own = parametersOf(file, 'Set Access') as { options: Record<string, unknown> };
		expect(own).toMatchObject({ access: 'byStatus', options: { onlyOpen: true } });
		for (const name of ['keepFor', 'closeFor'])
			expect(own).toHaveProperty(name, `={{ $('Sync').params.${name} }}`);
		// The fast path of the file for two systems sees only one of them.
		const single = file === 'stripe-and-patreon.json' ? 'stripe.json' : file;
		const { status, email, customerId, additionalFields } = parametersOf(single, 'Sync');
		expect(own).toMatchObject({ status, email, customerId, additionalFields });
	});
});

function extent({ nodes }: Workflow): { width: number; height: number } {
	const boxes = nodes.map(({ position, parameters }) => {
		const [x = 0, y = 0] = position as number[];
		const { width = SIZE, height = SIZE } = parameters as { width?: number; height?: number };
		return { left: x, top: y, right: x + width, bottom: y + height };
	});
	const most = (key: 'bottom' | 'right') => Math.max(...boxes.map((box) => box[key]));
	const least = (key: 'left' | 'top') => Math.min(...boxes.map((box) => box[key]));
	return { width: most('right') - least('left'), height: most('bottom') - least('top') };
}
