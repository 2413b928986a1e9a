import { codeOf } from '../code';
import {
	callSetAccess,
	code,
	COLOR,
	question,
	settings,
	toldOnError,
	type Note,
	type Part,
	type Plan,
	type Wire,
} from '../parts';

/** How a sender signs: the settings of the Crypto node, and the test for a correct signature. */
interface Signature {
	sign: Record<string, unknown>;
	isRight: string;
}

/** A sender whose webhook n8n has to verify. */
interface SignedSender {
	file: string;
	sender: string;
	signature: Signature;
	/** Whether the sender repeats failed deliveries. Other senders disable a webhook that fails. */
	redelivers: boolean;
	/** A condition for unsigned calls that get status 200. */
	ping?: string;
	settings: Record<string, string>;
	ask: (at: Part['at']) => Part;
	code: string;
	notes: { event: string; settings: string; ask: string };
}

/** Builds the workflow of a sender. */
export function signedSender(plan: SignedSender): Plan {
	const { file, sender } = plan;
	const event = `${sender} Event`;
	return {
		file,
		id: `supercast${sender}`,
		name: `${sender} Members`,
		parts: [
			{
				name: event,
				type: 'n8n-nodes-base.webhook',
				version: 2.1,
				at: [0, 0],
				parameters: {
					httpMethod: 'POST',
					path: file,
					responseMode: 'responseNode',
					options: { rawBody: true },
				},
				more: { webhookId: file },
			},
			{
				name: 'Sign',
				type: 'n8n-nodes-base.crypto',
				version: 2,
				at: [1, 0],
				parameters: { action: 'hmac', dataPropertyName: 'expected', ...plan.signature.sign },
			},
			...gate(plan),
			settings(plan.settings, [3, 0]),
			plan.ask([4, 0]),
			code('What Is True Now', [5, 0], codeOf(plan.code)),
			callSetAccess([6, 0]),
		],
		notes: notesOf(plan),
		wires: [
			[event, 'Sign'],
			...gateWires(plan.redelivers),
			['Settings', plan.ask([4, 0]).name],
			[plan.ask([4, 0]).name, 'What Is True Now'],
			['What Is True Now', 'Set Access'],
		],
		settings: toldOnError,
	};
}

const REFUSAL = "{ error: 'The signature is missing or wrong.' }";

/**
 * Accepts only signed calls. If the sender repeats failed deliveries, n8n responds at the end, so
 * that the sender repeats a call whose execution fails. Otherwise, n8n responds immediately.
 */
function gate({ signature: { isRight }, ping = 'false', redelivers }: SignedSender): Part[] {
	const answer = (
		name: string,
		at: Part['at'],
		responseBody: string,
		responseCode: number | string,
	): Part => ({
		name,
		type: 'n8n-nodes-base.respondToWebhook',
		version: 1.1,
		at,
		parameters: { respondWith: 'json', responseBody, options: { responseCode } },
	});
	if (redelivers) {
		return [
			question('Is It Signed?', [2, 0], isRight),
			answer('Refuse', [2, 1], `={{ ${REFUSAL} }}`, 401),
		];
	}
	const welcome = `(${isRight}) || (${ping})`;
	return [
		answer(
			'Answer',
			[2, 0],
			`={{ ${welcome} ? { received: true } : ${REFUSAL} }}`,
			`={{ ${welcome} ? 200 : 401 }}`,
		),
		question('Is It Signed?', [2, 1], isRight),
	];
}

function gateWires(redelivers: boolean): Wire[] {
	return redelivers
		? [
				['Sign', 'Is It Signed?'],
				['Is It Signed?', 'Settings'],
				[['Is It Signed?', 1], 'Refuse'],
			]
		: [
				['Sign', 'Answer'],
				['Answer', 'Is It Signed?'],
				['Is It Signed?', 'Settings'],
			];
}

function notesOf({ sender, notes }: SignedSender): Note[] {
	return [
		{
			text: `## 1. Check that ${sender} sent it\n${notes.event}`,
			columns: [0, 2],
			rows: [0, 1],
			color: COLOR.start,
		},
		{ text: `## Fill in Settings\n${notes.settings}`, columns: [3, 3], color: COLOR.settings },
		{
			text: `## 2. Ask ${sender} for current data\n${notes.ask}\nEvents can arrive late or twice, so the workflow acts on current data, not on the event.`,
			columns: [4, 5],
			color: COLOR.ask,
		},
		{
			text: '## 3. Set Access\nIn the **Set Access** node, select your **Set Access** workflow.',
			columns: [6, 6],
			color: COLOR.act,
		},
	];
}

/** A header of the call. */
export const header = (name: string): string => `$json.headers['${name}']`;
