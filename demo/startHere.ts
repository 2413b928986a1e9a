import type { Workflow } from '../harness/n8n/setup';
import { ID } from '../scripts/workflows/parts';
import type { DemoAddresses } from './kit';

export const START_ID = 'startHere';

const WIDTH = 380;
const HEIGHT = 330;

const link = (text: string, id: string): string => `[${text}](/workflow/${id})`;

/** A page on the canvas that suggests what to try. It consists only of notes. */
export function startHere({ desk, sandbox }: DemoAddresses): Workflow {
	const control = new URL('/_sandbox/', sandbox.baseUrl).href;
	const texts = [
		`# Start here\nYour n8n has all workflows of the kit. A sandbox simulates Supercast, and a desk stands in for your members and mailbox.\n\nOpen **[the desk](${desk})** in a second tab. It has the buttons and shows the emails.`,
		`## 1. A member pays\nOn the desk, press **A Member Pays**.\n\n${link('Any System', 'supercastAnySystem')} calls ${link('Set Access', ID.setAccess)}, and the new member gets an email with a feed. Look at **Executions** in both.`,
		'## 2. A member cancels\nPress **A Member Cancels**. The feed closes, and the desk shows that its address responds with 403.',
		`## 3. A payment fails\nPress **A Payment Failed Today**: the feed stays open for seven days. Press **A Payment Failed Last Week**: the feed closes.\n\n${link('Grace Period', 'supercastGracePeriod')} closes feeds after seven days.`,
		`## 4. A feed is shared\nPress **A Feed Is Shared**. Within a minute ${link('Usage Alerts', 'supercastUsageAlerts')} sends an email with a form. Open it from the desk, and decide.`,
		`## 5. Dry and real Sync runs\nIn ${link('Nightly Sync', 'nightlySync')}, press **Execute workflow** and read the email on the desk. Then turn **Dry Run** off in **Sync Subscribers**, and execute it again.\n\nThe list is [members.csv](${desk}/members.csv).`,
		`## 6. Something fails\nOn the desk, press **Supercast Is Down**, and then **A Member Cancels**. ${link('On Error', ID.onError)} sends an email with the affected members. Press **Supercast Is Up Again**, and retry.`,
		`## The sandbox\nEverything in it: [state](${control}state), [requests](${control}requests). More events and faults: \`sandbox/README.md\`.`,
	];
	const nodes = texts.map((content, at) => ({
		id: `start-${at}`,
		name: `Note ${at + 1}`,
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [(at % 4) * (WIDTH + 16), Math.floor(at / 4) * (HEIGHT + 16)],
		parameters: { content, width: WIDTH, height: HEIGHT, color: at === 0 ? 4 : 7 },
	}));
	return { id: START_ID, name: 'Start Here', nodes, connections: {}, settings: {} };
}
