import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const JSON_MODULE = join(__dirname, '../../../nodes/Supercast/api/json');

/** Reads a time in a new process, because a process that runs may keep its time zone. */
function readIn(timeZone: string, text: string): number {
	const script = `console.log(require(${JSON.stringify(JSON_MODULE)}).timeOf(${JSON.stringify(text)}))`;
	const printed = execFileSync(process.execPath, ['-r', 'tsx/cjs', '-e', script], {
		env: { ...process.env, TZ: timeZone, NODE_OPTIONS: '' },
	});
	return Number(printed.toString());
}

it.each(['Asia/Tokyo', 'America/Los_Angeles'])(
	'a time without a zone is in UTC on a server in %s',
	(timeZone) => {
		const utc = Date.UTC(2026, 5, 1, 9, 30);
		expect(readIn(timeZone, '2026-06-01T09:30:00')).toBe(utc);
		expect(readIn(timeZone, '2026-06-01 09:30:00')).toBe(utc);
		expect(readIn(timeZone, '2026-06-01T18:30:00+09:00')).toBe(utc);
	},
);
