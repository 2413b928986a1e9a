declare module 'textlint-rule-prh' {
	import type { TextlintRuleModule } from '@textlint/kernel';

	const rule: TextlintRuleModule;
	export default rule;
}
