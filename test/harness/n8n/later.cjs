'use strict';
/**
 * Loaded into n8n by tests that last several days. n8n's dates are ahead of the real ones by the
 * minutes in the file that LATER_FILE names.
 */
const { readFileSync } = require('node:fs');

const RealDate = Date;
const { now: realNow } = RealDate;
let laterMs = 0;
const now = () => realNow() + laterMs;

function refresh() {
	laterMs = Number(readFileSync(process.env.LATER_FILE, 'utf8')) * 60_000;
}

if (process.env.LATER_FILE) {
	refresh();
	setInterval(refresh, 100).unref();
	globalThis.Date = new Proxy(RealDate, {
		get: (date, key, receiver) => (key === 'now' ? now : Reflect.get(date, key, receiver)),
		construct: (date, values, newTarget) =>
			Reflect.construct(date, values.length === 0 ? [now()] : values, newTarget),
	});
}
