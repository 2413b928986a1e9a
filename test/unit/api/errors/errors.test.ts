import { InputError, ServiceError } from '../../../../nodes/Supercast/api/errors/errors';

describe("the package's errors", () => {
	it('show a status only if the API refused', () => {
		const refused = { kind: 'status', status: 404, body: {} } as const;
		const error = new ServiceError('What happened', 'What to do', refused);
		expect(error).toMatchObject({
			name: 'ServiceError',
			message: 'What happened',
			description: 'What to do',
			failure: refused,
			attempts: 1,
			maybeProcessed: false,
			status: 404,
		});
		const page = { kind: 'notJson', status: 404, truncated: false } as const;
		expect(new ServiceError('x', 'y', page, 3)).toMatchObject({ attempts: 3, status: undefined });
	});

	it('say what is wrong with an input', () => {
		expect(new InputError('What happened', 'What to do')).toMatchObject({
			name: 'InputError',
			message: 'What happened',
			description: 'What to do',
		});
	});
});
