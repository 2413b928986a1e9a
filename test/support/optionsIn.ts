import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** The options of all parameters, also of those in collections. */
export function optionsIn(properties: readonly INodeProperties[]): INodePropertyOptions[] {
	return properties.flatMap(({ options = [] }) =>
		options.flatMap((one) => {
			if ('values' in one) return optionsIn(one.values);
			return 'type' in one ? optionsIn([one]) : [one];
		}),
	);
}
