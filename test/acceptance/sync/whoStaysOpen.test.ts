import { addMembers, memberListOf, runSync } from '../../support/members';
import { useSandbox } from '../../support/sandbox';

describe('a member who has left is not closed', () => {
	const sandbox = useSandbox({ subscribers: 0 });

	it.each([
		['@münchen.de', 'ann@münchen.de'],
		['@münchen.de', 'ann@xn--mnchen-3ya.de'],
		['@xn--mnchen-3ya.de', 'ann@münchen.de'],
		['jose\u0301@example.com', 'jos\u00e9@example.com'],
		['JOS\u00c9@example.com', 'jose\u0301@example.com'],
	])('if Never Close has %s, and the email is %s', async (neverClose, email) => {
		const [gone, ...others] = addMembers(sandbox.current, 4);
		gone!.email = email;
		const { error } = await runSync(sandbox.current, memberListOf(others), {
			options: { neverClose },
		});
		expect([error, gone!.state]).toEqual([undefined, 'available']);
	});
});
