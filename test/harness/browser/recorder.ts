import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** A running recording of a page. */
export interface Recording {
	/** Ends the recording, and writes it as WebM. */
	finish: (file: string) => Promise<void>;
}

const FRAMES_PER_SECOND = 8;

/** The part of the recorder's page that this file uses. It runs in the browser. */
interface Recorder {
	draw: (jpeg: string) => void;
	finish: () => Promise<string>;
}

/** Runs in the browser: a canvas that shows the newest picture, and a video of it. */
const recorderPage = `<canvas></canvas><script>
	const canvas = document.querySelector('canvas');
	const picture = new Image();
	let film;
	const chunks = [];
	const start = ({ width, height }, fps) => {
		Object.assign(canvas, { width, height });
		film = new MediaRecorder(canvas.captureStream(fps), { mimeType: 'video/webm;codecs=vp8', videoBitsPerSecond: 2_500_000 });
		film.ondataavailable = ({ data }) => chunks.push(data);
		film.start(1000);
		// An unchanged canvas would add no frame, and the film would skip the pause.
		setInterval(() => canvas.getContext('2d').drawImage(picture, 0, 0, width, height), 1000 / fps);
	};
	const draw = (jpeg) => { picture.src = 'data:image/jpeg;base64,' + jpeg; };
	const finish = async () => {
		await new Promise((resolve) => { film.onstop = resolve; film.stop(); });
		const reader = new FileReader();
		await new Promise((resolve) => { reader.onload = resolve; reader.readAsDataURL(new Blob(chunks)); });
		return reader.result.split(',')[1];
	};
	window.recorder = { start, draw, finish };
</script>`;

/**
 * Records a page as a video, with nothing but Chromium. The browser takes the pictures, and a
 * second page encodes them.
 */
export async function record(page: Page): Promise<Recording> {
	const size = page.viewportSize()!;
	const recorder = await page.context().newPage();
	await recorder.setContent(recorderPage);
	await recorder.evaluate(`window.recorder.start(${JSON.stringify(size)}, ${FRAMES_PER_SECOND})`);
	await page.bringToFront();
	const session = await page.context().newCDPSession(page);
	session.on('Page.screencastFrame', ({ data, sessionId }) => {
		// The browser takes the next picture only after this one is acknowledged.
		const acknowledge = () =>
			void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
		setTimeout(acknowledge, 1000 / FRAMES_PER_SECOND);
		void recorder
			.evaluate(
				(jpeg) => (globalThis as unknown as { recorder: Recorder }).recorder.draw(jpeg),
				data,
			)
			.catch(() => undefined);
	});
	const { width: maxWidth, height: maxHeight } = size;
	const once = { ...size, deviceScaleFactor: 1, mobile: false };
	await session.send('Emulation.setDeviceMetricsOverride', once);
	await session.send('Page.startScreencast', { format: 'jpeg', quality: 85, maxWidth, maxHeight });
	return {
		finish: async (file) => {
			await session.send('Page.stopScreencast');
			const film = await recorder.evaluate(
				async () => await (globalThis as unknown as { recorder: Recorder }).recorder.finish(),
			);
			writeFileSync(file, Buffer.from(film, 'base64'));
			await recorder.close();
		},
	};
}
