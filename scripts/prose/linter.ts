import { join } from 'node:path';

import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import prh from 'textlint-rule-prh';

import { sentenceLength } from './sentenceLength';
import type { Text } from './texts';

/**
 * A place where a text should say something differently. `line` counts from 1, in the text's own
 * file.
 */
export interface ProseFinding {
	file: string;
	line: number;
	message: string;
}

const MOST_WORDS = 20;
const kernel = new TextlintKernel();

export const dictionaries = {
	all: join(__dirname, 'words.yml'),
	interface: join(__dirname, 'interface.yml'),
};

/** Checks one text against the dictionaries, and the length of its sentences. */
export async function lintProse({ file, line, text, kind }: Text): Promise<ProseFinding[]> {
	const rulePaths = [dictionaries.all, ...(kind === 'interface' ? [dictionaries.interface] : [])];
	const checks = { checkLink: true, checkBlockQuote: true, checkEmphasis: true };
	const { messages } = await kernel.lintText(text, {
		ext: '.md',
		plugins: [{ pluginId: 'markdown', plugin: markdown }],
		rules: [
			{ ruleId: 'words', rule: prh, options: { rulePaths, ...checks } },
			{ ruleId: 'sentence-length', rule: sentenceLength, options: { max: MOST_WORDS } },
		],
	});
	return messages.map(({ loc, message }) => ({
		file,
		// A page is a file by itself. Any other text is on the line on which it was found.
		line: kind === 'page' ? loc.start.line : line,
		message: message.replaceAll('\n', ' '),
	}));
}
