/** The parameters of the node that express the settings of a world. */

import type { INodeParameters } from 'n8n-workflow';

import type { Words } from './model';
import type { Settings } from './modelClosing';

const NAMES = {
	email: '={{ $json.email }}',
	customerId: '={{ $json.customerId }}',
	status: '={{ $json.status }}',
	additionalFields: { firstName: '={{ $json.name }}' },
};

const OPTIONS = { product: '={{ $json.product }}', accessUntil: '={{ $json.until }}' };

/** The parameters that express these words. */
function wordParameters(words: Words): INodeParameters {
	return {
		...{ authentication: 'accessToken', resource: 'subscriber', access: 'byStatus', ...NAMES },
		openFor: words.openFor.join(', '),
		keepFor: words.keepFor.join('\n'),
		closeFor: words.closeFor.join('\n'),
	};
}

function wordOptions({ products, otherProducts, closeWithPlan }: Words): INodeParameters {
	const hasProducts = products.length + otherProducts.length > 0;
	return {
		...(hasProducts ? OPTIONS : { accessUntil: OPTIONS.accessUntil }),
		...(hasProducts && { products: products.join('\n'), otherProducts: otherProducts.join('\n') }),
		closeWithPlan,
	};
}

export function syncParameters(settings: Settings): INodeParameters {
	const { recordsExpected, neverClose, allowOnce } = settings;
	return {
		...wordParameters(settings),
		...{ operation: 'sync', dryRun: settings.isDryRun, close: settings.close },
		...{
			customerIdPrefix: settings.prefixes.join(', '),
			maxClosePercent: settings.maxClosePercent,
		},
		options: {
			...wordOptions(settings),
			closeAfter: settings.closeAfter,
			maxOpenPercent: settings.maxOpenPercent,
			...(neverClose.length > 0 && { neverClose: neverClose.join(', ') }),
			...(allowOnce.length > 0 && { allowOnce: allowOnce.join(', ') }),
			...(recordsExpected !== undefined && { recordsExpected, recordId: '={{ $json.recordId }}' }),
		},
	};
}

export function accessParameters(words: Words & { onlyOpen: boolean }): INodeParameters {
	const { onlyOpen, prefixes } = words;
	const options = { ...wordOptions(words), onlyOpen, customerIdPrefix: prefixes.join() };
	return { ...wordParameters(words), operation: 'setAccess', options };
}
