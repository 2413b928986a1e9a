/** What was noted by key, the oldest first. Whatever is noted again is the newest. */
export class Recent<Noted> extends Map<string, Noted> {
	override set(key: string, noted: Noted): this {
		this.delete(key);
		return super.set(key, noted);
	}

	/** Forgets the oldest ones, as long as they are old, and returns them. */
	forget(isOld: (oldest: Noted) => boolean): Noted[] {
		const forgotten: Noted[] = [];
		for (const [key, noted] of this) {
			if (!isOld(noted)) break;
			this.delete(key);
			forgotten.push(noted);
		}
		return forgotten;
	}
}
