/**
 * Pages as HTML for emails and for n8n's own preview. Email programs remove style sheets and scripts,
 * and n8n's preview removes all attributes but `style`. So everything is in tables with inline
 * styles, and colors are backgrounds.
 */

import { numberText } from '../names';
import { shownLines, type Block, type Count, type ListBlock, type Tone } from './blocks';
import { escape, styled, table, type Style } from './elements';

const COLORS: Record<Tone, { text: string; back: string; strong: string }> = {
	attention: { text: '#6b4400', back: '#fff3d6', strong: '#e09b00' },
	closed: { text: '#8f1d14', back: '#fdecea', strong: '#d23f31' },
	number: { text: '#174a80', back: '#e8f1fb', strong: '#2f74c0' },
	open: { text: '#0f5c33', back: '#e6f5ec', strong: '#23955a' },
	quiet: { text: '#555f6b', back: '#f2f4f6', strong: '#9aa3ad' },
};

const FONT: Style = {
	'font-family': "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
	'font-size': '15px',
	'line-height': '22px',
	color: '#1f2933',
};

/**
 * The page, with its title as a heading. It has no `html` element, because n8n adds its own.
 * @param isEmail Whether long lists are shortened.
 */
export function htmlPage(title: string, blocks: readonly Block[], isEmail = true): string {
	const heading = styled(
		'div',
		{ 'font-size': '20px', 'line-height': '27px', 'font-weight': 'bold', padding: '0 0 12px' },
		escape(title),
	);
	const inside = styled(
		'div',
		{ ...FONT, padding: '16px', 'max-width': '620px', margin: '0 auto' },
		[heading, ...blocks.map((block) => htmlOf(block, isEmail))],
	);
	return styled('div', { 'background-color': '#ffffff', margin: '0', padding: '0' }, inside);
}

function htmlOf(block: Block, isEmail: boolean): string {
	switch (block.kind) {
		case 'counts':
			return countsHtml(block);
		case 'list':
			return listHtml(block, shownLines(block, isEmail));
		case 'words':
			return wordsHtml(block.text, block.tone);
	}
}

/** Large colored numbers side by side. */
function countsHtml({ title, counts }: Block & { kind: 'counts' }): string {
	const width = `${Math.floor(100 / Math.max(1, counts.length))}%`;
	const cells = counts.map((one, index) => {
		const [left, right] = [index === 0 ? 0 : 4, index === counts.length - 1 ? 0 : 4];
		return { style: { width, padding: `0 ${right}px 0 ${left}px` }, html: countHtml(one) };
	});
	return [
		styled('div', { color: COLORS.quiet.text, padding: '0 0 8px' }, escape(title)),
		table([cells], { margin: '0 0 16px', width: '100%', 'table-layout': 'fixed' }),
	].join('');
}

function countHtml({ count, label, tone }: Count): string {
	const { text, back } = COLORS[tone];
	const box = {
		'background-color': back,
		color: text,
		padding: '12px 4px',
		'text-align': 'center',
	};
	return styled('div', { ...box, 'border-radius': '8px' }, [
		styled(
			'div',
			{ 'font-size': '30px', 'line-height': '36px', 'font-weight': 'bold' },
			numberText(count),
		),
		styled('div', { 'font-size': '14px', 'line-height': '18px' }, escape(label)),
	]);
}

function listHtml({ title, tone }: ListBlock, lines: readonly string[]): string {
	if (lines.length === 0) return '';
	const { text, strong } = COLORS[tone];
	const bar: Style = { 'border-left': `4px solid ${strong}`, padding: '2px 0 2px 12px' };
	const line: Style = { padding: '3px 0', 'overflow-wrap': 'anywhere' };
	return styled('div', { ...bar, margin: '0 0 16px' }, [
		styled('div', { color: text, 'font-weight': 'bold' }, escape(title)),
		...lines.map((one) => styled('div', line, escape(one))),
	]);
}

function wordsHtml(text: string, tone: Tone): string {
	if (text === '') return '';
	const { back, text: color } = COLORS[tone];
	const lines = text.split('\n').map(escape).join('<br>');
	const box: Style = { 'background-color': back, color, padding: '10px 12px', margin: '0 0 12px' };
	return styled('div', { ...box, 'border-radius': '8px', 'overflow-wrap': 'anywhere' }, lines);
}
