import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { SupercastApi } from '../../credentials/SupercastApi.credentials';
import { SupercastOAuth2Api } from '../../credentials/SupercastOAuth2Api.credentials';
import { root } from '../../harness/system/paths';
import { Supercast } from '../../nodes/Supercast/Supercast.node.js';
import { SupercastTrigger } from '../../nodes/Supercast/SupercastTrigger.node.js';

/**
 * Rules for community nodes that stand in n8n's repository (docs/rules/ of
 * @n8n/eslint-plugin-community-nodes), and not yet in the plugin on npm. docs/decisions/0010 says
 * which are not met, and why.
 */
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const folder = 'nodes/Supercast';
/** Credentials that contain their test. */
const TESTED = [new SupercastApi(), new SupercastOAuth2Api()]
	.filter(({ test }: ICredentialType) => test !== undefined)
	.map(({ name }) => name);
const descriptions = [new Supercast().description, new SupercastTrigger().description];

/** All fields of a node, those in collections and the modes of locators included. */
function fieldsOf(properties: unknown[]): INodeProperties[] {
	return (properties as INodeProperties[]).flatMap((field) => {
		const { options = [], modes = [] } = field as { options?: unknown[]; modes?: unknown[] };
		return [field, ...fieldsOf(options), ...fieldsOf(modes)];
	});
}

describe.each(descriptions.map((description) => [description.name, description] as const))(
	'%s',
	(name, { properties, credentials = [], icon }: INodeTypeDescription) => {
		const codex = JSON.parse(
			read(`${folder}/${name[0]!.toUpperCase()}${name.slice(1)}.node.json`),
		) as { categories: string[]; subcategories?: unknown };

		it('single-credential-per-node: one switch decides between its credentials', () => {
			const conditions = credentials.map(({ displayOptions }) => displayOptions?.show);
			expect(conditions).toEqual([
				{ authentication: ['accessToken'] },
				{ authentication: ['oAuth2'] },
			]);
		});

		it('hint-max-length: hints have at most 120 characters', () => {
			const hints = fieldsOf(properties).flatMap(({ hint = '' }) => hint);
			expect(hints.filter((hint) => hint.length > 120)).toEqual([]);
		});

		it('no-asterisk-in-option-names: an asterisk would read like formatting', () => {
			const names = fieldsOf(properties).map(({ name }) => name);
			expect(names.filter((field) => field.includes('*'))).toEqual([]);
		});

		it('credential-test-required: each credential names its test', () => {
			const untested = credentials.filter(
				({ name: type, testedBy }) => testedBy === undefined && !TESTED.includes(type),
			);
			expect(untested).toEqual([]);
		});

		it('open-ended-node-fields: no optional JSON field outside of collections', () => {
			const open = properties.filter(({ type, required }) => type === 'json' && required !== true);
			expect(open.map((field) => field.name)).toEqual([]);
		});

		it('no-codex-subcategories, valid-node-categories: one of the categories of n8n', () => {
			expect(codex.subcategories).toBeUndefined();
			expect(codex.categories).toEqual(['Marketing & Content']);
		});

		it('icon-contrast: icons are visible in both themes, by the ratio of WCAG for pictures', () => {
			const { light, dark } = icon as { light: string; dark: string };
			expect(contrast(light, '#ffffff')).toBeGreaterThan(3);
			expect(contrast(dark, '#2b2b2b')).toBeGreaterThan(3);
		});
	},
);

it('builderHint: each node names the other one as related, by a type that exists', () => {
	const types = descriptions.map(({ name }) => `n8n-nodes-supercast.${name}`);
	const related = descriptions.map(({ builderHint }) =>
		builderHint!.relatedNodes!.map(({ nodeType }) => nodeType),
	);
	expect(related[0]).toContain(types[1]);
	expect(related[1]).toContain(types[0]);
	for (const type of related.flat()) {
		expect([...types, expect.stringMatching(/^n8n-nodes-base\./)]).toContainEqual(type);
	}
});

it('no-monorepo: the package is the whole repository', () => {
	const { repository } = JSON.parse(read('package.json')) as { repository: object };
	expect(Object.keys(repository)).toEqual(['type', 'url']);
});

/** The luminance of a color, as in WCAG 2. */
function luminance(color: string): number {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5]
		.map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
		.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The best contrast between a background and the largest area of an icon, its first fill. */
function contrast(file: string, background: string): number {
	const svg = read(`${folder}/${file.replace('file:', '')}`);
	const [, fill] = /fill="(#[0-9a-f]{6})"/.exec(svg)!;
	const [low, high] = [luminance(fill!), luminance(background)].sort((a, b) => a - b);
	return (high! + 0.05) / (low! + 0.05);
}
