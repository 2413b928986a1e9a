/** What a warning of Sync says, and two forms in which most of them come. */

import { InputError } from '../api/errors/errors';
import type { AppliedDecision } from '../access/apply';
import { personKey, numberText } from './names';
import { words, type Block } from './page/blocks';
import type { ToldRun } from './run';
import type { StopTexts } from './stops';

/** What an alert depends on. */
export interface Concern {
	count: number;
	/** Whom it concerns, in a form that stays the same from run to run. */
	who: readonly string[];
	/** What it is about, if there are several kinds. */
	about?: readonly string[];
}

export interface Warning {
	/** What the title of the email says. Empty if the warning does not apply. */
	title?: (run: ToldRun) => string;
	/** What happened, to whom, and what to do. Empty or without content if it does not apply. */
	blocks: (run: ToldRun) => Block[];
	/** What fails a real run. */
	error?: (run: ToldRun) => Error | undefined;
	/** Whom to alert about. Undefined if the warning does not apply. */
	concern?: (run: ToldRun) => Concern | undefined;
}

/** A row for what stops a run. */
export function stop(
	textsOf: (run: ToldRun) => StopTexts | undefined,
	concern: (run: ToldRun) => Concern,
): Warning {
	return {
		title: (run) => textsOf(run)?.title ?? '',
		blocks: (run) => {
			const texts = textsOf(run);
			return texts === undefined ? [] : [words(`${texts.message}. ${texts.description}`)];
		},
		error: (run) => {
			const texts = textsOf(run);
			return texts && new InputError(texts.message, texts.description);
		},
		concern: (run) => (textsOf(run) === undefined ? undefined : concern(run)),
	};
}

/** A row for people. */
export function aboutPeople(
	peopleIn: (run: ToldRun) => readonly AppliedDecision[],
	titleOf: (count: string, isOne: boolean) => string,
	blocks: (all: readonly AppliedDecision[], run: ToldRun) => Block[],
): Warning {
	const inRun = (run: ToldRun): readonly AppliedDecision[] => (run.isWrong ? [] : peopleIn(run));
	return {
		title: (run) => {
			const { length } = inRun(run);
			return length === 0 ? '' : titleOf(numberText(length), length === 1);
		},
		blocks: (run) => (inRun(run).length === 0 ? [] : blocks(inRun(run), run)),
		concern: (run) => concernOf(inRun(run)),
	};
}

function concernOf(some: readonly AppliedDecision[]): Concern | undefined {
	return some.length === 0 ? undefined : { count: some.length, who: some.map(personKey) };
}
