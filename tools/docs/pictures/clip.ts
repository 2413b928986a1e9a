import type { Page } from 'playwright-core';
import { Problem } from '../../../test/harness/system/problem';

/** Waits for animations and late icons. Nothing in the page says when the last one is over. */
export async function settle(page: Page): Promise<void> {
	await page.mouse.move(0, 0);
	await page.waitForTimeout(1_500);
}

/** A part of the page, in CSS pixels. */
interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** The smallest box that holds all of these. */
function boxAround(boxes: Box[]): Box {
	const x = Math.min(...boxes.map((box) => box.x));
	const y = Math.min(...boxes.map((box) => box.y));
	const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
	const height = Math.max(...boxes.map((box) => box.y + box.height)) - y;
	return { x, y, width, height };
}

/** Closes n8n's messages that cover the page. */
export async function closeNotifications(page: Page): Promise<void> {
	for (const close of await page.locator('.el-notification__closeBtn').all()) await close.click();
}

/** Takes a picture of the part of the page that holds these panels, named by their test IDs. */
export async function pictureOf(page: Page, panels: string[], file: string): Promise<void> {
	const boxes = await Promise.all(
		panels.map(async (name) => await page.getByTestId(name).first().boundingBox()),
	);
	const shown = boxes.flatMap((box) => box ?? []);
	if (shown.length === 0) throw new Problem(`The editor shows none of these: ${panels.join()}.`);
	await page.screenshot({ path: file, clip: boxAround(shown) });
}
