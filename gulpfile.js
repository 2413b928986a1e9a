'use strict';
const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** Copies into dist what tsc does not: icons, and the codex and schema files that n8n reads. */
function assets() {
	// `encoding: false` copies bytes as they are.
	return src(['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'], {
		encoding: false,
	}).pipe(dest('dist/nodes'));
}

/** Empties dist, so that no files from an earlier build are packed. */
async function clean() {
	await rm('dist', { recursive: true, force: true });
}

module.exports = { assets, clean };
