/** A bar chart of days that email programs draw: cells with a background, and no picture. */

import { chartText, dateText, numberText, type ChartDay } from './blocks';
import { escape, styled, table, type Cell, type Style } from './elements';

/** The heights of the longest bar and of the bars of open feeds, in pixels. */
const HEIGHT = 56;
const LEVEL_HEIGHT = 36;

/** A bar for a small number must still be seen. */
const SMALLEST = 3;

interface Colors {
	closed: { strong: string; text: string };
	number: { strong: string; text: string };
	open: { strong: string; text: string };
	quiet: { text: string };
}

/** Empty for a single day. */
export function chartHtml(days: readonly ChartDay[], colors: Colors): string {
	const words = chartText(days);
	if (words === '') return '';
	const [opened, closed, open] = (['opened', 'closed', 'open'] as const).map((key) =>
		days.map((day) => day[key]),
	) as [number[], number[], number[]];
	const [mostOpened, mostClosed] = [Math.max(...opened), Math.max(...closed)];
	const most = Math.max(1, mostOpened, mostClosed);
	const wide: Style = { width: '100%', 'table-layout': 'fixed' };
	const axis: Style = { ...wide, 'border-bottom': '1px solid #9aa3ad' };
	const up = bars(
		opened.map((count) => count / most),
		HEIGHT,
		colors.open.strong,
	);
	const downHeight = Math.max(SMALLEST, Math.round((mostClosed / most) * HEIGHT));
	const down = bars(
		closed.map((count) => count / Math.max(1, mostClosed)),
		downHeight,
		colors.closed.strong,
		'top',
	);
	return styled('div', { margin: '4px 0 16px' }, [
		styled('div', { 'font-weight': 'bold', padding: '0 0 6px' }, escape(words)),
		caption('Joined', `highest day: ${numberText(mostOpened)}`, colors.open.text),
		table([up], axis),
		table([down], wide),
		caption('Left', `highest day: ${numberText(mostClosed)}`, colors.closed.text),
		levelHtml(open, colors, axis),
		dates(days, colors.quiet.text),
	]);
}

/** The open feeds. The bars begin below the lowest level, so that changes can be seen. */
function levelHtml(open: readonly number[], { number }: Colors, axis: Style): string {
	const [lowest, highest] = [Math.min(...open), Math.max(...open)];
	const range = Math.max(1, highest - lowest);
	const shares = open.map((count) => (count - lowest + range / 4) / (range * 1.25));
	const words = lowest === highest ? '' : `from ${numberText(lowest)} to `;
	return [
		styled('div', { height: '10px', 'line-height': '10px' }, ''),
		caption('Open', `${words}${numberText(highest)}`, number.text),
		table([bars(shares, LEVEL_HEIGHT, number.strong)], axis),
	].join('');
}

/** A cell for each share of the height, from 0 to 1. */
function bars(
	shares: readonly number[],
	height: number,
	color: string,
	side: 'bottom' | 'top' = 'bottom',
): Cell[] {
	return shares.map((share) => bar(share, height, color, side));
}

function bar(share: number, height: number, color: string, side: 'bottom' | 'top'): Cell {
	const pixels = share === 0 ? 0 : Math.max(SMALLEST, Math.round(share * height));
	const style: Style = {
		height: `${height}px`,
		padding: '0 1px',
		'vertical-align': side,
		'font-size': '1px',
		'line-height': '1px',
	};
	if (pixels === 0) return { style, html: '&nbsp;' };
	const size: Style = { height: `${pixels}px`, 'line-height': `${pixels}px`, 'font-size': '1px' };
	return { style, html: styled('div', { ...size, 'background-color': color }, '&nbsp;') };
}

function caption(what: string, more: string, color: string): string {
	const small: Style = { 'font-size': '13px', 'line-height': '20px', color };
	return styled('div', small, [styled('b', {}, escape(what)), ` ${escape(more)}`]);
}

function dates(days: readonly ChartDay[], color: string): string {
	const small: Style = { 'font-size': '12px', 'line-height': '18px', color, padding: '2px 0 0' };
	const ends = [days[0], days.at(-1)].map((day) => (day === undefined ? '' : dateText(day.date)));
	const cells = ends.map((text, index) => ({
		style: { ...small, 'text-align': index === 0 ? 'left' : 'right' },
		html: escape(text),
	}));
	return table([cells], { width: '100%' });
}
