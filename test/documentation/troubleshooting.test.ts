import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { SupercastOAuth2Api } from '../../credentials/SupercastOAuth2Api.credentials';
import { ACCESS_TOKEN_SENTENCES, NO_VERSION } from '../../nodes/Supercast/api/auth/testSentences';

const root = join(__dirname, '..', '..');
const CHANGING = '…';

/** The messages in the tables in which people look up errors. */
function documented(): string[] {
	return ['troubleshooting.md', 'credentials.md', 'sync.md'].flatMap((page) => {
		const tables = readFileSync(join(root, 'docs', page), 'utf8').split(/^\| message .*$/m);
		const rows = tables.slice(1).flatMap((table) => table.split('\n\n')[0]!.split('\n'));
		const cells = rows.map((row) =>
			row
				.split(/ \|(?: |$)/)[0]!
				.replace(/^\| /, '')
				.trim(),
		);
		return cells.filter((cell) => cell !== '' && !/^\|? ?---/.test(cell));
	});
}

/** A message, and whether the error also says what to do. */
interface Message {
	text: string;
	hasRemedy: boolean;
}

/** Every message that the package's code can give an error, with … for each inserted value. */
function messages(): Message[] {
	const nodes = join(root, 'nodes');
	const files = (readdirSync(nodes, { recursive: true }) as string[]).filter((name) =>
		name.endsWith('.ts'),
	);
	return files.flatMap((name) => {
		const text = readFileSync(join(nodes, name), 'utf8');
		return messagesIn(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
	});
}

function messagesIn(file: ts.SourceFile): Message[] {
	const found: Message[] = [];
	const visit = (node: ts.Node): void => {
		const [message, remedy] = partsOf(node);
		if (message !== undefined) {
			found.push({ text: textOf(message), hasRemedy: remedy !== undefined && !isEmpty(remedy) });
		}
		ts.forEachChild(node, visit);
	};
	visit(file);
	return found.filter(({ text }) => text !== '');
}

function isEmpty(remedy: ts.Expression): boolean {
	return ts.isStringLiteralLike(remedy) && remedy.text === '';
}

/** The message and the remedy of bad input, and of failed requests, which stand in one table. */
function partsOf(node: ts.Node): readonly (ts.Expression | undefined)[] {
	const isInTable = node.getSourceFile().fileName.endsWith('errors/messages.ts');
	if (isInTable && ts.isArrayLiteralExpression(node) && node.elements.length === 2) {
		return node.elements;
	}
	if (
		ts.isNewExpression(node) &&
		/^(Input|Service|TimeIsUp)Error$/.test(node.expression.getText())
	) {
		return node.arguments ?? [];
	}
	if (!ts.isObjectLiteralExpression(node)) return [];
	return ['message', 'description'].map((name) => valueOf(node, name));
}

function valueOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
	const found = node.properties.find((one) => one.name?.getText() === name);
	return found !== undefined && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

function textOf(expression: ts.Expression): string {
	if (ts.isStringLiteralLike(expression)) return expression.text.replace(/\{\w+\}/g, CHANGING);
	if (!ts.isTemplateExpression(expression)) return '';
	const { head, templateSpans } = expression;
	return [head.text, ...templateSpans.map(({ literal }) => literal.text)].join(CHANGING);
}

/** The sentences that n8n shows when the test of a credential fails. */
function testSentences(): string[] {
	const { rules = [] } = new SupercastOAuth2Api().test;
	const ofOAuth2 = rules.map(({ properties }) => properties.message);
	return [...Object.values(ACCESS_TOKEN_SENTENCES), NO_VERSION, ...ofOAuth2];
}

/** Whether a row of a table matches a message. A row may give just the beginning of a message. */
function standsFor(row: string, message: string): boolean {
	const parts = message.split(CHANGING).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	const beginning = row.replace(/ …$/, '');
	return message.startsWith(beginning) || new RegExp(`^${parts.join('.*')}$`).test(row);
}

describe('the tables of errors', () => {
	const rows = documented();
	const sentences = testSentences().map((text) => ({ text, hasRemedy: true }));
	const all = [...messages(), ...sentences];

	it('have a row for every message that does not say itself what to do', () => {
		expect(all.length).toBeGreaterThan(50);
		const silent = all.filter(({ hasRemedy }) => !hasRemedy).map(({ text }) => text);
		expect(silent.filter((text) => !rows.some((row) => standsFor(row, text)))).toEqual([]);
	});

	it('have no row for a message that does not exist', () => {
		expect(rows.filter((row) => !all.some(({ text }) => standsFor(row, text)))).toEqual([]);
	});
});
