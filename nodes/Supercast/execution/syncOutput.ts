import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { SyncReport } from '../report/report';
import { silentNodeBefore } from './emptyItems';
import { failedItem, hintOfFailures, toNodeError, type NodeError } from './nodeErrors';

/** An item that cannot be read, by its index. */
export interface BadItem {
	error: NodeError;
	item: number;
}

/** Everything that a run returns, and its hints in the editor. */
export async function outputOf(
	context: IExecuteFunctions,
	{ records, failures, hints, page }: SyncReport,
	badItems: readonly BadItem[],
): Promise<INodeExecutionData[]> {
	const pairOf = (items: number[]) => {
		const pairs = items.map((item) => ({ item }));
		return pairs.length === 1 ? pairs[0] : pairs;
	};
	const done = records.map(({ json, items }) => ({ json, pairedItem: pairOf(items) }));
	const failed = failures.map(({ error, items }) => ({
		error: toNodeError(context, error),
		pairedItem: pairOf(items),
	}));
	const bad = badItems.map(({ error, item }) => ({ error, pairedItem: { item } }));
	const errors = [...failed, ...bad].map(({ error }) => error);
	showFailures(
		context,
		errors.length === 1 ? 'One change or item' : `${errors.length} changes or items`,
		errors,
	);
	warnOfSilence(context);
	for (const hint of hints) {
		context.addExecutionHints?.({ ...hint, location: 'outputPane' });
	}
	const failedItems = [...failed, ...bad].map(({ error, pairedItem }) =>
		failedItem(error, pairedItem),
	);
	return await withPage(context, [...done, ...failedItems], page);
}

/** While there are items, tells what happens if there are none: n8n then does not run Sync. */
function warnOfSilence(context: IExecuteFunctions): void {
	const name = silentNodeBefore(context);
	if (name === undefined) return;
	const message = `If the node "${name}" returns no items, n8n does not run Sync, and you get no message. Turn on 'Always Output Data' in the settings of that node.`;
	context.addExecutionHints?.({ message, location: 'outputPane' });
}

/** Shows in the editor what failed. If On Error is set to continue, the node looks successful. */
export function showFailures(context: IExecuteFunctions, who: string, errors: NodeError[]): void {
	const message = hintOfFailures(who, errors);
	if (message === undefined) return;
	context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
}

/**
 * Attaches the page after a manual run: to the summary, or to the first item. n8n's output panel
 * then shows it with one click on "View" (seen in 2.41).
 */
async function withPage(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	pageInHtml: () => string,
): Promise<INodeExecutionData[]> {
	const carrier = items.find(({ json }) => json.action === 'summary') ?? items[0];
	if (carrier === undefined || context.getMode() !== 'manual') return items;
	const page = Buffer.from(pageInHtml(), 'utf8');
	const name = carrier.json.dryRun === true ? 'What this list would change' : 'What happened';
	// n8n offers "View" for a plain text, never for `text/html`, and draws it by its `fileType`.
	const text = await context.helpers.prepareBinaryData(page, `${name}.html`, 'text/plain');
	const binary = { page: { ...text, fileType: 'html' as const } };
	return items.map((item) => (item === carrier ? { ...item, binary } : item));
}
