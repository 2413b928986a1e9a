/** What the editor shows beside the output of a run. */

import type { IExecuteFunctions } from 'n8n-workflow';

/** What would begin an element or a character in HTML. */
const HINT_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Shows a text. n8n draws hints as HTML (seen in 2.41), and the texts contain words of others, such
 * as a status "<none>". Versions of n8n that do not support hints show none.
 */
export function showHint(
	context: IExecuteFunctions,
	text: string,
	type?: 'info' | 'warning',
): void {
	const message = text.replace(/[&<>]/g, (character) => HINT_ENTITIES[character] ?? '');
	context.addExecutionHints?.({ message, type, location: 'outputPane' });
}
