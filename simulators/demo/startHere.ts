import type { Workflow } from '../../test/harness/n8n/setup';
import { SYNC_SECONDS, type DemoAddresses } from './addresses';

export const START_ID = 'startHere';
/** Path of the start page in the editor. */
export const START_PATH = `/workflow/${START_ID}`;

const WIDTH = 380;
const HEIGHT = 330;

const link = (text: string, id: string): string => `[${text}](/workflow/${id})`;

/** A page on the canvas that suggests what to try. It consists only of notes. */
export function startHere({ dashboard, sandbox }: DemoAddresses): Workflow {
	const control = new URL('/_sandbox/', sandbox.baseUrl).href;
	const texts = [
		`# Start here\nYour n8n has all workflows. A sandbox simulates Supercast, a mock server simulates Stripe, and a dashboard shows your members and mailbox.\n\nOpen **[the dashboard](${dashboard})** in a second tab. It has the buttons and shows the emails.`,
		`## 1. A member pays\nOn the dashboard, press **A Member Pays**. ${link('Stripe Members', 'supercastStripe')} reads the list of members every ${SYNC_SECONDS} seconds here, and opens the feed. Its lane **Every Minute** does so within a minute.`,
		`## 2. A member cancels\nPress **A Member Cancels**. The next sync run reads that the subscription is canceled, and closes the feed. After ten within 24 hours, **Max Close (%)** stops it, and an email says how to allow more.`,
		'## 3. A member switches plans\nPress **A Member Switches Plans**: one subscription ends, and another begins. The feed stays open. Press **A Payment Is Late**: it stays open too.',
		`## 4. A feed is shared\nPress **A Feed Is Shared**. Within a minute ${link('Usage Alerts', 'supercastUsageAlerts')} sends an email with a form. Open it from the dashboard, and decide.`,
		`## 5. All is well\nIn ${link('Stripe Members', 'supercastStripe')}, each sync run can send a report, once a day. Read the email on the dashboard. Then turn on **Dry Run** in **Sync**, press **Execute workflow**, and open **Sync**.`,
		`## 6. Something fails\nOn the dashboard, press **Stripe Is Down**. You get one email, and nothing changes. Press **Supercast Is Down**. The nodes try for ten minutes before they give up. When it is up again, the next sync run does the rest.`,
		`## The sandbox\nEverything in it: [state](${control}state), [requests](${control}requests). More events and faults: \`simulators/supercast/README.md\`.`,
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
