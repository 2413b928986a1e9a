'use strict';
/**
 * An environment without a separate realm: all test files of a worker share its globals, and the
 * packages in node_modules, which then load once for each worker. The project's own modules are
 * fresh in each file, as usual. `loadOnce.js` does the other half.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');

const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

// One seed for all property tests, so that a commit always has the same result.
require('fast-check').configureGlobal({
	seed: Number(process.env.SEED ?? '1'),
	// Mutation tests need no small example of what fails.
	endOnFailure: 'STRYKER_MUTATOR_WORKER' in process.env,
});

const { compileFunction } = vm;

/** Stands for the worker's own realm, because Jest accepts only the context of another realm. */
const ownRealm = vm.createContext();

/** The functions that the worker has compiled, by file name. Each call gives a fresh module. */
const compiled = new Map();

vm.compileFunction = (code, parameters, options) => {
	const { parsingContext, ...others } = options;
	if (parsingContext !== ownRealm) return compileFunction(code, parameters, options);
	const known = compiled.get(options.filename);
	if (known?.code === code) return known.module;
	const module = compileFunction(code, parameters, others);
	compiled.set(options.filename, { code, module });
	return module;
};

/** Jest makes a store for each file. Each store that stays in use makes all promises slower. */
const stores = new Set();
const { run } = AsyncLocalStorage.prototype;

AsyncLocalStorage.prototype.run = function (...args) {
	stores.add(this);
	return run.apply(this, args);
};

module.exports = class SharedEnvironment {
	global = globalThis;
	moduleMocker = new ModuleMocker(globalThis);
	fakeTimers = null;

	constructor({ projectConfig }) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
		// The worker's own require, which Jest replaces in the tests.
		globalThis[Symbol.for('require once')] = require;
		this.before = { console, env: { ...process.env }, exit: process.exit };
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return ownRealm;
	}

	async setup() {}

	/** Undoes the changes of a file to everything that it shares with the next file. */
	async teardown() {
		this.moduleMocker.restoreAllMocks();
		this.fakeTimersModern.dispose();
		delete globalThis[Symbol.for('require once')];
		for (const store of stores) store.disable();
		stores.clear();
		const { env, exit } = this.before;
		process.exit = exit;
		globalThis.console = this.before.console;
		for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
		Object.assign(process.env, env);
	}
};
