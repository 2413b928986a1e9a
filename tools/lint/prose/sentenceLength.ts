import type { TextlintRuleModule } from '@textlint/kernel';

/** A node of textlint's tree, as far as this rule needs it. */
interface TextNode {
	type: string;
	value?: string;
	children?: readonly TextNode[];
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’_./-]*/gu;

/** A textlint rule that reports sentences of more than `max` words. A piece of code counts as one word. */
export const sentenceLength: TextlintRuleModule<{ max?: number }> = (context, options) => {
	const max = options?.max ?? 20;
	const { Syntax, RuleError, report } = context;
	const check = (node: TextNode): void => {
		for (const { segment } of sentences.segment(plainText(node))) {
			// A list of names is no sentence.
			if (segment.startsWith('Fields: ')) continue;
			const words = segment.match(WORD)?.length ?? 0;
			if (words <= max) continue;
			const beginning = segment.trim().slice(0, 40);
			const message = `${words} words in one sentence, ${max} at most: "${beginning} …"`;
			report(node as never, new RuleError(message));
		}
	};
	return {
		[Syntax.Paragraph]: check,
		[Syntax.Header]: check,
		[Syntax.TableCell]: check,
	};
};

function plainText({ type, value, children = [] }: TextNode): string {
	if (type === 'Str') return value ?? '';
	if (type === 'Code') return 'code';
	if (type === 'Break' || type === 'Image') return ' ';
	return children.map(plainText).join('');
}
