// The newest row of each member shows the current state. If it is a hold, the hold began with the
// oldest of the consecutive hold rows.
const byMember = new Map();
for (const { json: row } of $input.all()) {
	const key = `${row.sender} ${row.customerId || row.email.toLowerCase()}`;
	byMember.set(key, [...(byMember.get(key) ?? []), row]);
}
return [...byMember.values()].flatMap((rows) => {
	const [newest] = rows;
	if (newest.access !== 'hold' || newest.done !== 'waiting') return [];
	const end = rows.findIndex((row) => row.access !== 'hold');
	const holds = end === -1 ? rows : rows.slice(0, end);
	const since = holds.map((row) => row.since).sort()[0];
	const { sender, email, customerId, name } = newest;
	const event = 'still on hold';
	return [{ json: { sender, event, access: 'hold', email, customerId, name, since } }];
});
