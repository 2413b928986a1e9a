import { accessItem, addMembers, runSetAccess } from '../../support/members';
import { useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0 });

it('Close tells of another feed with the customer ID, if the list has been read lately', async () => {
	const [ann, second, bob] = addMembers(sandbox.current, 40);
	second!.customer_id = ann!.customer_id;
	const idOnly = { access: 'close', id: bob!.customer_id };
	await runSetAccess(sandbox.current, [idOnly]);
	const { output } = await runSetAccess(sandbox.current, [accessItem('close', ann!)]);
	expect(output[0]?.json).toMatchObject({
		action: 'closed',
		attention: expect.stringContaining(second!.email),
	});
	expect(second!.state).toBe('available');
	second!.state = 'deactivated';
	const again = await runSetAccess(sandbox.current, [accessItem('close', ann!)]);
	expect(again.output[0]?.json).toMatchObject({ action: 'unchanged', attention: null });
});
