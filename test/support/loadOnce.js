'use strict';

const key = "globalThis[Symbol.for('require once')]";
const isInTests = () => Symbol.for('require once') in globalThis;

/** Replaces a module in node_modules with the one that the worker has loaded, or loads now. */
module.exports = {
	// Jest loads its own modules in this way too, before there is an environment.
	process: (source, path) => ({
		code: isInTests() ? `module.exports = ${key}(${JSON.stringify(path)});` : source,
	}),
	getCacheKey: (_, path) => `${isInTests()} ${path}`,
};
