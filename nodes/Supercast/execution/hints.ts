/** What the editor shows beside the output of a run. */

import type { IExecuteFunctions } from 'n8n-workflow';

import { escape } from '../report/page/elements';

/**
 * Shows a text. n8n draws hints as HTML (seen in 2.41), and the texts contain words of others, such
 * as a status "<none>". Versions of n8n that do not support hints show none.
 */
export function showHint(
	context: IExecuteFunctions,
	message: string,
	type?: 'info' | 'warning',
): void {
	context.addExecutionHints?.({ message: escape(message), type, location: 'outputPane' });
}
