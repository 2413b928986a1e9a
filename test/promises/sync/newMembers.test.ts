import { isDeep } from '../../support/deep';
import { actionsOf, addMembers, runSetAccess, runSync } from '../../support/members';
import { useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0, logSize: 100_000, onExistingEmail: 'duplicate' });

const joining = (count: number) =>
	Array.from({ length: count }, (_, number) => ({
		...{ access: 'open', email: `new.${number}@example.com`, id: `c-new-${number}` },
	}));

it('Sync creates a new member with about one request', async () => {
	const count = isDeep ? 2_000 : 220;
	addMembers(sandbox.current, 250);
	const result = await runSync(sandbox.current, joining(count), { close: 'none' });
	expect(new Set(actionsOf(result))).toEqual(new Set(['created']));
	const counts = Math.ceil((count - 20) / 50);
	expect(sandbox.current.stats().requests).toBe(3 + 20 + counts + count);
});

it('Sync and Set Access together create nobody twice, even if Supercast would accept it', async () => {
	const members = joining(170);
	addMembers(sandbox.current, 50);
	const sync = runSync(sandbox.current, members, { close: 'none' });
	const events = members
		.filter((_, number) => number % 5 === 0)
		.reverse()
		.map(async (member) => await runSetAccess(sandbox.current, [member]));
	await Promise.all([sync, ...events]);
	const emails = sandbox.current.state.subscribers.map(({ email }) => email);
	expect(emails).toHaveLength(50 + 170);
	expect(new Set(emails).size).toBe(emails.length);
});
