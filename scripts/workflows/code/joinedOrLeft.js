// A new subscriber, or one whose feed opened or closed.
return $input.all().map(({ json }) => {
	const { email, first_name: firstName, last_name: lastName, state, previousState } = json;
	const isOpen = state === 'available' || state === undefined;
	const change = isOpen ? (previousState === undefined ? 'joined' : 'came back') : 'left';
	const name = [firstName, lastName].filter(Boolean).join(' ');
	const text = `${name ? `${name} (${email})` : email} ${change}${state === 'suspended' ? ' (suspended)' : ''}`;
	const at = new Date().toISOString();
	return { json: { email, firstName: firstName ?? '', name, change, text, at } };
});
