import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { SyncReport } from '../report/report';
import { showHint } from './hints';
import { failedItem, hintOfFailures, toNodeError, type NodeError } from './nodeErrors';

/** Everything that a run returns, and its hints in the editor. */
export async function outputOf(
	context: IExecuteFunctions,
	{ records, failures, hints, page }: SyncReport,
): Promise<INodeExecutionData[]> {
	const pairOf = (items: readonly number[]) => {
		const pairs = items.map((item) => ({ item }));
		return pairs.length === 1 ? pairs[0] : pairs;
	};
	const done = records.map(({ json, items }) => ({ json, pairedItem: pairOf(items) }));
	const failed = failures.map(({ error, items }) => ({
		error: toNodeError(context, error),
		pairedItem: pairOf(items),
	}));
	const who = failed.length === 1 ? 'One change or item' : `${failed.length} changes or items`;
	showFailures(
		context,
		who,
		failed.map(({ error }) => error),
	);
	for (const { message, type } of hints) showHint(context, message, type);
	const failedItems = failed.map(({ error, pairedItem }) => failedItem(error, pairedItem));
	return await withPage(context, [...done, ...failedItems], page);
}

/** Shows in the editor what failed. If On Error is set to continue, the node looks successful. */
export function showFailures(context: IExecuteFunctions, who: string, errors: NodeError[]): void {
	const message = hintOfFailures(who, errors);
	if (message !== undefined) showHint(context, message, 'warning');
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
