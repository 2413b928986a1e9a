import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findBrowser } from '../harness/browser/findBrowser';

describe('the browser of the end-to-end tests', () => {
	let folder: string;

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'supercast-browser-'));
	});

	afterAll(() => rmSync(folder, { recursive: true }));

	/** A program that prints this, and ends with this code. */
	function program(name: string, prints: string, code = 0): string {
		const path = join(folder, name);
		writeFileSync(path, `#!/bin/sh\necho '${prints}'\nexit ${code}\n`);
		chmodSync(path, 0o755);
		return path;
	}

	const missing = () => join(folder, 'missing');
	const debian = () => program('chromium', 'Chromium 156.0.8078.108 built on Debian GNU/Linux 12');
	const chrome = () => program('google-chrome', 'Google Chrome 150.0.7871.114 ');
	/** What `apt-get install chromium-browser` gives on Ubuntu, before and after its snap. */
	const shim = () => program('shim', 'Command requires the chromium snap to be installed.', 1);
	const snap = () => program('snap', 'Chromium 150.0.7871.114 snap');

	it("is Debian's Chromium, or the Chrome of GitHub's images", () => {
		expect(findBrowser([missing(), debian()], undefined)).toBe(debian());
		expect(findBrowser([missing(), chrome()], undefined)).toBe(chrome());
	});

	it('is not what Ubuntu has in its place', () => {
		expect(findBrowser([shim(), snap(), chrome()], undefined)).toBe(chrome());
	});

	it('is the one that CHROMIUM names, if it is set', () => {
		expect(findBrowser([debian()], chrome())).toBe(chrome());
		expect(() => findBrowser([debian()], missing())).toThrow(missing());
	});

	it('is asked for in one sentence that says where it was looked for', () => {
		const places = [shim(), snap()];
		expect(() => findBrowser(places, undefined)).toThrow(`none runs at ${places.join(', ')}`);
	});
});
