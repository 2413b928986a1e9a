import type { Page } from 'playwright-core';
import { Problem } from '../../harness/system/problem';

/** Waits for animations and late icons. Nothing in the page says when the last one is over. */
export async function settle(page: Page): Promise<void> {
	await page.mouse.move(0, 0);
	await page.waitForTimeout(1_500);
}

/** Takes a picture of the part of the page that holds these panels, named by their test IDs. */
export async function pictureOf(page: Page, panels: string[], file: string): Promise<void> {
	const boxes = await Promise.all(
		panels.map(async (name) => await page.getByTestId(name).first().boundingBox()),
	);
	const shown = boxes.flatMap((box) => box ?? []);
	if (shown.length === 0) throw new Problem(`The editor shows none of these: ${panels.join()}.`);
	const x = Math.min(...shown.map((box) => box.x));
	const y = Math.min(...shown.map((box) => box.y));
	const width = Math.max(...shown.map((box) => box.x + box.width)) - x;
	const height = Math.max(...shown.map((box) => box.y + box.height)) - y;
	await page.screenshot({ path: file, clip: { x, y, width, height } });
}
