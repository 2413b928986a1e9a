import type { IExecuteFunctions } from 'n8n-workflow';

import { asRecord } from '../../api/json';

/**
 * n8n's store of seen items for this node, the same that Remove Duplicates uses. It is in n8n's
 * database, under the IDs of the workflow and the node. So every process sees it, and a new name of
 * the node changes nothing. n8n stores only hashes.
 */
export class SeenItems {
	private constructor(private readonly helpers: IExecuteFunctions['helpers']) {}

	/** Undefined if n8n has no such store. */
	static of({ helpers }: IExecuteFunctions): SeenItems | undefined {
		return 'checkProcessedAndRecord' in helpers ? new SeenItems(helpers) : undefined;
	}

	/**
	 * Which of these texts the store has seen before. Afterwards, it has seen all of them.
	 * @returns `none` if n8n has not set up the store, `failed` if it does not answer.
	 */
	async see(texts: readonly string[]): Promise<Set<string> | 'failed' | 'none'> {
		try {
			const checked = await this.helpers.checkProcessedAndRecord([...texts], 'node', OPTIONS);
			return new Set(checked.processed.map(String));
		} catch (error) {
			// n8n asserts that the store was set up, and that the workflow was saved.
			return asRecord(error).code === 'ERR_ASSERTION' ? 'none' : 'failed';
		}
	}

	/** Makes the store forget everything. Returns whether it has. */
	async clear(): Promise<boolean> {
		return await this.helpers.clearAllProcessedItems('node', OPTIONS).then(
			() => true,
			() => false,
		);
	}
}

const OPTIONS = { mode: 'entries' } as const;
