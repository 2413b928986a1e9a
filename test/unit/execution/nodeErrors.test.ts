import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../../../nodes/Supercast/api/errors/errors';
import { hintOfFailures, toNodeError } from '../../../nodes/Supercast/execution/nodeErrors';

const node = {
	id: '1',
	name: 'Supercast',
	type: 'n8n-nodes-supercast.supercast',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

function contextWith(items: number, type = node.type): IExecuteFunctions {
	return {
		getNode: () => ({ ...node, type }),
		getInputData: () => Array.from({ length: items }, () => ({ json: {} })),
		isToolExecution: () => type.endsWith('Tool'),
	} as unknown as IExecuteFunctions;
}

const blank = new InputError("'Email' is empty", 'Enter one.');

describe('the item in a message', () => {
	it('is named if there are several, with the number that n8n shows', () => {
		const { message, description } = toNodeError(contextWith(5), blank, 2);
		expect([message, description]).toEqual([
			"'Email' is empty [item 2, counted from 0]",
			'Enter one.',
		]);
		// n8n's editor adds "[item 2]" to a message without these words.
		expect(message).toContain('item 2');
	});

	it('is not named if it is the only one', () => {
		const { message, context } = toNodeError(contextWith(1), blank, 0);
		expect([message, context.itemIndex]).toEqual(["'Email' is empty", 0]);
	});

	it('is not named to an agent, which reads what to do in the message', () => {
		const error = toNodeError(contextWith(3, 'n8n-nodes-supercast.supercastTool'), blank, 1);
		expect(error.message).toBe("'Email' is empty. Enter one.");
	});
});

describe('the hint about failed items', () => {
	const failure = (message: string, description = '') =>
		new NodeOperationError(node, message, { description });

	it('says how many failed, and the first reason', () => {
		const failures = [failure('No such one', 'Check it.\nTwice.'), failure('Another')];
		expect(hintOfFailures('2 of 5 items', failures)).toMatch(
			/^2 of 5 items failed: No such one\. Check it\. Twice\. Each failed item/,
		);
	});

	it('gives the only reason, if one failed', () => {
		const failures = [failure('No such one')];
		expect(hintOfFailures('The item', failures)).toBe('The item failed: No such one');
	});

	it('is missing if none failed', () => {
		expect(hintOfFailures('The item', [])).toBeUndefined();
	});
});
