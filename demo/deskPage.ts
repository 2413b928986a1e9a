import type { Mail } from '../harness/mailbox';
import { actions } from './deskActions';

/** A member at Stripe. */
export interface DeskMember {
	email: string;
	/** The status of the newest subscription. */
	stripe: string;
	feed: string;
}

/** The content of the desk. */
export interface DeskView {
	members: DeskMember[];
	mails: Mail[];
	chat: string[];
	happened: string[];
}

const STYLE = `body { font: 15px/1.5 system-ui; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
form { display: inline } button { margin: 0 .4rem .4rem 0; padding: .4rem .8rem }
article { border: 1px solid #ccc; border-radius: 6px; margin: .6rem 0; padding: .6rem 1rem }
pre { margin: 0; white-space: pre-wrap; word-break: break-word }`;

/** The page: buttons, their results, the emails with the newest on top, and the chat. */
export function deskPage({ members, mails, chat, happened }: DeskView): string {
	const buttons = actions.map(
		({ path, label }) => `<form method="post" action="${path}"><button>${label}</button></form>`,
	);
	const parts = [
		'<h1>The desk</h1>',
		...buttons,
		`<pre>${happened.slice(0, 8).map(escape).join('\n')}</pre>`,
		`<h2>Members at Stripe (${members.length})</h2>`,
		...members.map(
			({ email, stripe, feed }) =>
				`<article>${escape(email)}: subscription ${escape(stripe)}, feed <b>${feed}</b></article>`,
		),
		`<h2>Emails (${mails.length})</h2>`,
		...[...mails].reverse().map(mailView),
		`<h2>Chat (${chat.length})</h2>`,
		...chat.map((text) => `<article><pre>${escape(text)}</pre></article>`),
	];
	return `<!doctype html><title>The desk</title><meta http-equiv="refresh" content="5"><style>${STYLE}</style>${parts.join('\n')}`;
}

function mailView({ to, subject, text }: Mail): string {
	const isHtml = /<(a|br|div|table)\b/i.test(text);
	const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url);
	const words = isHtml
		? text.replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ').replace(/\s*\n\s*/g, '\n')
		: text;
	const open = links.map((url) => `<p><a href="${url}" target="_blank">Open the form</a></p>`);
	return `<article><b>${escape(subject)}</b><br>to ${escape(to)}<pre>${escape(words.trim())}</pre>${open.join('')}</article>`;
}

function escape(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
