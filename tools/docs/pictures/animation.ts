import { writeFileSync } from 'node:fs';
import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { PNG } from 'pngjs';

/** One picture of an animation. */
export interface Frame {
	/** A PNG file, of the same size as the others. */
	png: Buffer;
	/** How long it is shown, in milliseconds. */
	ms: number;
}

/** Writes pictures as an animated GIF that repeats. */
export function writeAnimation(frames: Frame[], file: string): void {
	const encoder = GIFEncoder();
	for (const { png, ms } of frames) {
		const { data, width, height } = PNG.sync.read(png);
		const pixels = new Uint8Array(data);
		const palette = quantize(pixels, 256);
		const index = applyPalette(pixels, palette);
		encoder.writeFrame(index, width, height, { palette, delay: ms });
	}
	encoder.finish();
	writeFileSync(file, encoder.bytes());
}
