import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { root } from '../harness/system/paths';

/** The contexts that n8n passes to a node, and their helpers, as n8n-workflow declares them. */
const CONTEXTS =
	/^(FunctionsBase|BaseExecutionFunctions|IExecuteFunctions|IPollFunctions|ILoadOptionsFunctions)$/;
const HELPERS = /^(BaseHelperFunctions|RequestHelperFunctions)$/;

function parse(file: string): ts.SourceFile {
	return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

function visit(node: ts.Node, seen: (node: ts.Node) => void): void {
	seen(node);
	node.forEachChild((child) => visit(child, seen));
}

/** The members of those n8n types whose name matches `named`, without the members of members. */
function membersOf(types: ts.SourceFile, named: RegExp): Set<string> {
	const names = new Set<string>();
	const collect = (node: ts.Node): void => {
		if (!ts.isMethodSignature(node) && !ts.isPropertySignature(node)) node.forEachChild(collect);
		else if (ts.isIdentifier(node.name)) names.add(node.name.text);
	};
	types.forEachChild((declared) => {
		const isType = ts.isInterfaceDeclaration(declared) || ts.isTypeAliasDeclaration(declared);
		if (isType && named.test(declared.name.text)) declared.forEachChild(collect);
	});
	return names;
}

/** All that the published code takes from n8n: what it imports, and the members of contexts. */
export function namesTakenFromN8n(): string[] {
	const types = parse(join(root, 'node_modules', 'n8n-workflow', 'dist', 'cjs', 'interfaces.d.ts'));
	const members = membersOf(types, CONTEXTS);
	const helpers = membersOf(types, HELPERS);
	const taken = new Set<string>();
	const files = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => join(root, folder, file)),
	);
	for (const file of files) {
		visit(parse(file), (node) => {
			if (ts.isPropertyAccessExpression(node)) {
				const { expression, name } = node;
				const ofHelpers =
					ts.isPropertyAccessExpression(expression) && expression.name.text === 'helpers';
				if ((ofHelpers ? helpers : members).has(name.text)) taken.add(name.text);
			}
			if (!ts.isImportDeclaration(node)) return;
			if ((node.moduleSpecifier as ts.StringLiteral).text !== 'n8n-workflow') return;
			const imported = node.importClause?.namedBindings;
			if (imported && ts.isNamedImports(imported)) {
				for (const { name, propertyName } of imported.elements)
					taken.add((propertyName ?? name).text);
			}
		});
	}
	return [...taken].sort();
}
