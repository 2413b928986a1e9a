import { DirectSupercast, held } from '../../doubles/directSupercast';
import { rowOf } from './mixed';
import { NOW, runRows } from './running';

/** A Supercast that shows emails in another form in the list than alone. */
class TwoForms extends DirectSupercast {
	constructor(
		private readonly forms: [listed: string, alone: string],
		...rest: ConstructorParameters<typeof DirectSupercast>
	) {
		super(...rest);
	}

	override async request(request: Parameters<DirectSupercast['request']>[0]) {
		const response = await super.request(request);
		const [listed, alone] = this.forms;
		if (request.method !== 'GET') return response;
		const text = JSON.stringify(response.body);
		const email = request.path.length === 1 ? listed : alone;
		return { ...response, body: JSON.parse(text.replaceAll('m1@a.com', email)) as unknown };
	}
}

it.each<[string, [string, string]]>([
	['capitals', ['Ann@a.com', 'ann@a.com']],
	['accents', ['ren\u00e9@a.com', 'rene\u0301@a.com']],
	['an encoded domain', ['ann@b\u00fccher.example', 'ann@xn--bcher-kva.example']],
])('someone who left is closed, although list and record differ in %s', async (_, forms) => {
	const people = [held(1), held(2), held(3)];
	const service = new TwoForms(forms, people, NOW);
	const rows = people.slice(1).map(rowOf);
	const options = { graceHours: 0, closeAfter: 1, output: 'all' };
	const { records } = await runRows(service, rows, { options, maxClosePercent: 100 });
	expect(records.map(({ json }) => [json.action, json.uuid])).toContainEqual(['closed', 'u-1']);
	expect(service.find('u-1')?.state).toBe('deactivated');
});
