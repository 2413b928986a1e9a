/** Whether a credential shows another channel than before. Sync and the trigger both ask here. */

/** So few records may all be gone without a common cause. */
export const FEW_RECORDS = 2;

/**
 * Whether a list seems to belong to another channel, or to be the result of an outage: it has none
 * of the records that are known from before.
 * @param known How many records are known.
 */
export function recognizesNone(known: number, isAnyListed: boolean): boolean {
	return known > FEW_RECORDS && !isAnyListed;
}
