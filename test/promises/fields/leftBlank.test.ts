import type { INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();

async function run(parameters: INodeParameters) {
	return await runSupercast({ parameters, credential: credentialOf(sandbox.current) });
}

function lastBody(): unknown {
	return sandbox.current.state.requests.at(-1)?.body;
}

describe('a field that was added but left blank', () => {
	const update = async (updateFields: INodeParameters) => {
		const { email } = sandbox.current.state.subscribers[0]!;
		const { output, error } = await run({
			resource: 'subscriber',
			operation: 'update',
			subscriber: { __rl: true, mode: 'email', value: email },
			updateFields,
		});
		return { output: output[0]?.json, error };
	};

	it.each(['', '  ', '={{ $json.nothing }}', '={{ null }}'])(
		'%j keeps its value',
		async (blank) => {
			const person = sandbox.current.state.subscribers[0]!;
			const { last_name, email } = person;
			const { error } = await update({
				firstName: 'Nora',
				lastName: blank,
				email: blank,
				timeZone: blank,
			});
			expect(error).toBeUndefined();
			expect(lastBody()).toEqual({ subscriber: { first_name: 'Nora' } });
			expect(sandbox.current.state.subscriber(email)).toMatchObject({ last_name });
		},
	);

	it('is no change by itself', async () => {
		const { error } = await update({ lastName: '' });
		expect(error?.message).toContain("'Update Fields' is empty");
		expect(error?.description).toContain('A blank field stays as it is');
		expect(sandbox.current.stats().requests).toBe(0);
	});

	it('is emptied by Clear Fields', async () => {
		const { email } = sandbox.current.state.subscribers[0]!;
		const { error } = await update({ clearFields: ['customerId', 'lastName'], firstName: 'Nora' });
		expect(error).toBeUndefined();
		const cleared = { customer_id: null, last_name: null, first_name: 'Nora' };
		expect(lastBody()).toEqual({ subscriber: cleared });
		expect(sandbox.current.state.subscriber(email)).toMatchObject(cleared);
	});

	it.each([
		[{ clearFields: ['lastName'], lastName: 'Smith' }, 'The field "last_name" appears twice'],
		[{ clearFields: ['email'] }, '\'Clear Fields\' cannot be "email"'],
	])('cannot be cleared if that makes no sense: %j', async (fields, words) => {
		const { error } = await update(fields);
		expect(error?.message).toContain(words);
		expect(sandbox.current.stats().requests).toBe(0);
	});

	it('is not sent with a create either', async () => {
		await run({
			resource: 'subscriber',
			operation: 'create',
			email: 'ann@example.com',
			additionalFields: { firstName: '', lastName: 'Smith' },
		});
		expect(lastBody()).toEqual({ subscriber: { email: 'ann@example.com', last_name: 'Smith' } });
	});
});

describe('a time zone', () => {
	const create = async (additionalFields: INodeParameters) =>
		await run({
			resource: 'subscriber',
			operation: 'create',
			email: 'ann@example.com',
			additionalFields,
		});

	it('is sent unchanged in Other Fields', async () => {
		await create({ otherFields: '{ "time_zone": "Eastern Time (US & Canada)" }' });
		expect(lastBody()).toMatchObject({ subscriber: { time_zone: 'Eastern Time (US & Canada)' } });
	});
});
