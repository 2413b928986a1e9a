/** HTML elements with inline styles. */

import { printable } from '../names';

export type Style = Readonly<Record<string, string>>;

/** Characters that end a text or an attribute. */
const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Text of others, such as an email, as HTML that shows it and does nothing else. */
export function escape(text: string): string {
	return printable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** An element. `html` is HTML already. */
export function styled(tag: string, style: Style, html: string | readonly string[]): string {
	const css = Object.entries(style).map(([name, value]) => `${name}:${value}`);
	const attribute = css.length === 0 ? '' : ` style="${css.join(';')}"`;
	return `<${tag}${attribute}>${typeof html === 'string' ? html : html.join('')}</${tag}>`;
}

export interface Cell {
	style: Style;
	html: string;
}

/** A table without borders. Rows and cells are in order. */
export function table(rows: ReadonlyArray<readonly Cell[]>, style: Style): string {
	const plain: Style = { 'border-collapse': 'collapse', 'border-spacing': '0' };
	const body = rows.map((cells) =>
		styled(
			'tr',
			{},
			cells.map(({ style: own, html }) => styled('td', own, html)),
		),
	);
	return styled('table', { ...plain, ...style }, ['<tbody>', ...body, '</tbody>']);
}
