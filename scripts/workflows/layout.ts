import type { Workflow } from '../../harness/n8n/setup';
import type { Note, Part, Plan, Wire } from './parts';

const ACROSS = 224;
const DOWN = 224;
const NODE = 96;
/** The space beside the nodes within a note. It leaves 16 pixels between two notes. */
const SIDE = (ACROSS - NODE - 16) / 2;
const BELOW = 104;
const GAP = 24;
/** The height of a line in a note, and the number of letters that fit a given width. */
const LINE = 24;
const letters = (width: number): number => Math.floor((width - 40) / 7.6);

/**
 * Builds the workflow file of a plan. Places every node, and makes every note large enough for its
 * text and nodes.
 */
export function layOut(plan: Plan): Workflow {
	const { id, name, parts, notes, wires, settings = {} } = plan;
	const nodes = parts.map(nodeOf);
	const stickies = notes.map((note, index) => stickyOf(note, index, heads(notes, note)));
	return {
		id,
		name,
		nodes: [...nodes, ...stickies],
		connections: connectionsOf(wires),
		settings: { executionOrder: 'v1', ...settings },
	};
}

function nodeOf({ name, type, version, at, parameters = {}, more = {} }: Part) {
	const webhookId = isWebhook(type) ? { webhookId: slug(name) } : {};
	return {
		id: slug(name),
		name,
		type,
		typeVersion: version,
		position: [at[0] * ACROSS, at[1] * DOWN],
		parameters,
		...webhookId,
		...credentialsOf(type, parameters),
		...more,
	};
}

function isWebhook(type: string): boolean {
	return /\.(webhook|stripeTrigger|mcpTrigger)$/.test(type);
}

/**
 * Refers to a credential by n8n's default name for the first credential of its type. If it exists,
 * n8n uses it. If users select another credential in one node, n8n changes it in all nodes.
 */
function credentialsOf(type: string, { nodeCredentialType }: Record<string, unknown>) {
	const place = (key: string, name: string) => ({ credentials: { [key]: { id: null, name } } });
	if (type.startsWith('n8n-nodes-supercast.')) return place('supercastApi', 'Supercast account');
	if (type.endsWith('.emailSend')) return place('smtp', 'SMTP account');
	const isStripe = type.endsWith('.stripeTrigger') || nodeCredentialType === 'stripeApi';
	return isStripe ? place('stripeApi', 'Stripe account') : {};
}

/** Notes that begin in the same row have headings of the same height. */
function heads(notes: Note[], { rows = [0, 0] }: Note): number {
	const beside = notes.filter((other) => (other.rows ?? [0, 0])[0] === rows[0]);
	return Math.max(...beside.map(textHeight));
}

function textHeight(note: Note): number {
	const perLine = letters(widthOf(note));
	const [title = '', ...paragraphs] = note.text.split('\n').filter((line) => line !== '');
	const lines = paragraphs.map((text) => Math.ceil(text.length / perLine));
	const heading = Math.ceil((title.length * 1.5) / perLine) * 34;
	return heading + lines.reduce((sum, count) => sum + count * LINE + 12, 0) + 36;
}

function widthOf({ columns: [first, last] }: Note): number {
	return (last - first) * ACROSS + NODE + 2 * SIDE;
}

function stickyOf(note: Note, index: number, head: number) {
	const { text, columns, rows = [0, 0], color } = note;
	const top = rows[0] * DOWN - head;
	return {
		id: `note-${index + 1}`,
		name: `Note ${index + 1}`,
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [columns[0] * ACROSS - SIDE, top],
		parameters: {
			content: text,
			width: widthOf(note),
			height: head + (rows[1] - rows[0]) * DOWN + NODE + BELOW - GAP,
			color,
		},
	};
}

type Target = { node: string; type: string; index: number };

function connectionsOf(wires: Wire[]): Record<string, Record<string, Target[][]>> {
	const all: Record<string, Record<string, Target[][]>> = {};
	for (const [from, to, kind = 'main'] of wires) {
		const [node, output] = typeof from === 'string' ? [from, 0] : from;
		const outputs = ((all[node] ??= {})[kind] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type: kind, index: 0 });
	}
	return all;
}

/** Converts a name to an ID, for example `Find by Email` to `find-by-email`. */
export function slug(name: string): string {
	return name
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-|-$/g, '');
}
