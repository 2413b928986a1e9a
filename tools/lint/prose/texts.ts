import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

/** A piece of prose, and its place. */
export interface Text {
	/** The path from the root of the repository. */
	file: string;
	/** Counted from 1. */
	line: number;
	/** In Markdown. */
	text: string;
	/** A page, a text in a workflow, a text that the editor shows for a node, or a comment. */
	kind: 'page' | 'note' | 'interface' | 'comment';
}

/** Replaces a value that is inserted later. */
const VALUE = '…';

const PAGE = /^(?!test\/).*\.md$/;
const WORKFLOW = /^workflows\/.*\.json$/;
const CODE = /\.(?:ts|[cm]?js)$/;
const SHOWN_IN_EDITOR = /^(?:nodes|credentials)\/.*(?<!\.d)\.ts$/;

/** The texts of one file of the repository: a page, a workflow, or source code. Other files have none. */
export function proseTextsOf(root: string, file: string): Text[] {
	if (![PAGE, WORKFLOW, CODE].some((kind) => kind.test(file))) return [];
	const content = readFileSync(join(root, file), 'utf8');
	if (PAGE.test(file)) return [{ file, line: 1, text: content, kind: 'page' }];
	if (WORKFLOW.test(file)) return notesIn(file, content);
	const shown = SHOWN_IN_EDITOR.test(file) ? sentencesIn(file, content) : [];
	return [...shown, ...commentsIn(file, content)];
}

/** The sticky notes of a workflow, and every text with a space in its nodes and their code. */
export function notesIn(file: string, json: string): Text[] {
	const texts: Text[] = [];
	const lines = json.split('\n');
	const visit = (value: unknown, key = ''): void => {
		if (typeof value === 'string' && isProse(value)) {
			const written = JSON.stringify(value);
			const line = lines.findIndex((other) => other.includes(written)) + 1;
			const code = key === 'jsCode' ? sentencesIn(file, value).map(({ text }) => text) : undefined;
			const found = code ?? [withoutExpressions(value)];
			texts.push(...found.map((text) => ({ file, line, text, kind: 'note' as const })));
		} else if (typeof value === 'object' && value !== null) {
			Object.entries(value).forEach(([name, inner]) => visit(inner, name));
		}
	};
	const { name, nodes } = JSON.parse(json) as { name: unknown; nodes: unknown };
	visit([name, nodes]);
	return texts;
}

/** Every text with a space in TypeScript source: labels, descriptions, placeholders, messages. */
export function sentencesIn(file: string, code: string): Text[] {
	const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
	const texts: Text[] = [];
	const visit = (node: ts.Node): void => {
		const text = stringOf(node);
		if (text !== undefined && isProse(text)) {
			const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
			texts.push({ file, line, text: withoutExpressions(text), kind: 'interface' });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return texts;
}

/** The comments of source code. In tests, also the names of the tests. */
export function commentsIn(file: string, code: string): Text[] {
	const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
	const texts = new Map<number, string>();
	const visit = (node: ts.Node): void => {
		if (ts.isJSDoc(node)) return;
		const before = ts.getLeadingCommentRanges(code, node.getFullStart()) ?? [];
		const after = ts.getTrailingCommentRanges(code, node.getEnd()) ?? [];
		for (const { pos, end } of [...joined(before, code), ...after]) {
			texts.set(pos, code.slice(pos, end).replace(COMMENT_MARKS, ''));
		}
		const name = testNameOf(node);
		if (name !== undefined) texts.set(node.getStart(), name);
		node.getChildren(source).forEach(visit);
	};
	visit(source);
	const inOrder = [...texts].sort(([one], [other]) => one - other);
	return inOrder.map(([position, text]) => {
		const line = source.getLineAndCharacterOfPosition(position).line + 1;
		return { file, line, text, kind: 'comment' };
	});
}

const COMMENT_MARKS = /^\s*\/\*\*?|\*\/$|^\s*\*(?: |$)|^\s*\/\/ ?/gm;

/** Joins `//` comments on consecutive lines into one. */
function joined(ranges: readonly ts.CommentRange[], code: string): ts.CommentRange[] {
	const found: ts.CommentRange[] = [];
	for (const range of ranges) {
		const last = found.at(-1);
		const isNextLine = last !== undefined && /^\r?\n[ \t]*$/.test(code.slice(last.end, range.pos));
		const areLines = last?.kind === range.kind && range.kind === LINE_COMMENT;
		if (isNextLine && areLines) last.end = range.end;
		else found.push({ ...range });
	}
	return found;
}

const LINE_COMMENT = ts.SyntaxKind.SingleLineCommentTrivia;

function testNameOf(node: ts.Node): string | undefined {
	if (!ts.isCallExpression(node) || !/^(?:it|describe)\b/.test(node.expression.getText())) return;
	const [name] = node.arguments;
	return name === undefined ? undefined : stringOf(name);
}

function stringOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(VALUE);
}

function isProse(text: string): boolean {
	return /\p{L}\S*\s+\S*\p{L}/u.test(text);
}

/** Replaces n8n's expressions, because they contain code. */
function withoutExpressions(text: string): string {
	return text.replace(/^=/, '').replace(/\{\{[\s\S]*?\}\}/g, VALUE);
}
