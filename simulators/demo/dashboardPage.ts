import { SYNC_SECONDS } from './addresses';
import { actions } from './dashboardActions';
import { loginPath } from './dashboardLogin';
import type { Run } from './dashboardRuns';
import { isPaying } from './dashboardStory';
import { START_PATH } from './startHere';
import type { DashboardEvent, DashboardView, SeenMail, SeenMember } from './dashboardWatch';

const MOST_EVENTS = 5;
const MOST_MEMBERS = 14;
const MOST_MAILS = 20;

/** What a state means in the first or second column, and its color. */
type Label = readonly [text: string, color: 'amber' | 'gray' | 'green' | 'red'];

const STRIPE_LABELS: Record<string, Label> = {
	active: ['pays', 'green'],
	trialing: ['on trial', 'green'],
	past_due: ['payment late', 'amber'],
	canceled: ['canceled', 'gray'],
};

const FEED_LABELS: Record<string, Label> = {
	'': ['no feed yet', 'gray'],
	available: ['open', 'green'],
	deactivated: ['closed', 'red'],
};

/** The whole page. Its script replaces the content every second. */
export function dashboardPage(view: DashboardView): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>The dashboard</title>
<link rel="stylesheet" href="/dashboard.css">
<noscript><meta http-equiv="refresh" content="3"></noscript>
</head>
<body>
<div id="view">${dashboardContent(view)}</div>
<script src="/dashboard.browser.js"></script>
</body>
</html>`;
}

/** The part of the page that changes. */
export function dashboardContent(view: DashboardView): string {
	return `<header>
<h1>The dashboard</h1>
<p>On the left, who pays at Stripe. In the middle, whose private feed is open at Supercast. <b>n8n opens the feeds of those who pay, and closes the others.</b> It syncs every ${SYNC_SECONDS} seconds, and here are its emails.</p>
${status(view)}
</header>
${story(view)}
<main>
<section class="people">
${columnHead('Stripe', 'Who pays', 'stripe', view)}
${columnHead('Supercast', 'The private feed', 'supercast', view)}
${people(view)}
</section>
<section class="mailbox">
<div class="head"><h2>Mailbox <small>${view.mails.length}</small></h2><p>Emails and chat messages from n8n</p></div>
${mailbox(view)}
</section>
</main>`;
}

function status({ isReady, hasEditor, lastSyncRun }: DashboardView): string {
	if (!isReady) return '<p class="status">n8n is still starting.</p>';
	const syncRun = lastSyncRun
		? `Last sync run ${clockTime(lastSyncRun.stoppedAt)} ${runLink(lastSyncRun, 'see it')}`
		: 'No sync run has finished yet';
	const link = hasEditor
		? ` · <a href="${escape(loginPath(START_PATH))}" target="_blank">Open n8n</a>`
		: '';
	return `<p class="status">${syncRun}${link}</p>`;
}

function story({ events: [newest, ...earlier], isReady }: DashboardView): string {
	if (newest === undefined) {
		const hint = isReady
			? 'Press <b>A Member Pays</b>, and watch.'
			: 'n8n is still starting. This takes about two minutes. Then you can press the buttons.';
		return `<section class="story"><p class="now">${hint}</p></section>`;
	}
	const items = earlier.slice(0, MOST_EVENTS).map((event) => `<li>${eventLine(event)}</li>`);
	return `<section class="story"><p class="now" data-changed="${newest.at}">${eventLine(newest)}</p><ol>${items.join('')}</ol></section>`;
}

function eventLine({ at, sentence, run }: DashboardEvent): string {
	const link = run ? ` ${runLink(run, 'See the run in n8n')}` : '';
	return `<time>${clockTime(at)}</time> ${escape(sentence)}${link}`;
}

function runLink({ path }: Run, text: string): string {
	return `<a href="${escape(loginPath(path))}" target="_blank">${text}</a>`;
}

function columnHead(
	name: string,
	subtitle: string,
	place: 'stripe' | 'supercast',
	{ down, isReady }: DashboardView,
): string {
	const buttons = actions
		.filter((action) => action.place === place && action.isOffered?.(down) !== false)
		.map(
			({ path, label }) =>
				`<form method="post" action="${path}"><button${isReady ? '' : ' disabled'}>${label}</button></form>`,
		);
	const lamp = down[place] ? pill(['down', 'red']) : '';
	return `<div class="head"><h2>${name} ${lamp}</h2><p>${subtitle}</p><div class="buttons">${buttons.join('')}</div></div>`;
}

function people({ members, others }: DashboardView): string {
	const rows = members.slice(0, MOST_MEMBERS).map(row);
	const hidden = members.length - rows.length;
	const more = hidden > 0 ? `<p class="more">and ${hidden} more</p>` : '';
	const rest =
		others > 0
			? `<p class="more">${others} more subscribers pay Supercast itself. n8n leaves their feeds alone.</p>`
			: '';
	return rows.join('\n') + more + rest;
}

function row(member: SeenMember): string {
	const { email, stripe, feed, feedUrl, changedAt } = member;
	const isWaiting = isPaying(member) !== (feed === 'available');
	const look = feedUrl
		? `<a href="${escape(feedUrl)}" target="_blank" title="What a podcast app gets">try the feed</a>`
		: '';
	const name = `<span class="who">${escape(email)}</span>`;
	return `<div class="row" data-changed="${changedAt}">
<div class="cell">${name}${pill(STRIPE_LABELS[stripe] ?? [stripe, 'amber'])}</div>
<div class="arrow">${isWaiting ? '<i title="The next sync run changes it">…</i>' : '='}</div>
<div class="cell">${look}${pill(FEED_LABELS[feed] ?? [feed, 'amber'])}</div>
</div>`;
}

function pill([text, color]: Label): string {
	return `<b class="pill ${color}">${escape(text)}</b>`;
}

function mailbox({ mails }: DashboardView): string {
	if (mails.length === 0) return '<p class="more">No email yet.</p>';
	return mails.map(mailView).slice(0, MOST_MAILS).join('\n');
}

function mailView({ at, to, subject, text }: SeenMail, place: number, all: SeenMail[]): string {
	const number = all.length - place;
	const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => url);
	const open = links.map(
		(url) => `<p><a href="${escape(url)}" target="_blank">Open the form</a></p>`,
	);
	const who = to === '' ? 'to the chat' : `to ${escape(to)}`;
	return `<article data-changed="${at}"><details id="mail-${number}"${place === 0 ? ' open' : ''}>
<summary><b>${escape(subject)}</b><br><small>${clockTime(at)} ${who}</small></summary>
<pre>${escape(wordsOf(text))}</pre>${open.join('')}</details></article>`;
}

function wordsOf(text: string): string {
	const isHtml = /<(a|br|div|table)\b/i.test(text);
	if (!isHtml) return text.trim();
	const words = text.replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ');
	return words.replace(/\s*\n\s*/g, '\n').trim();
}

function clockTime(at: number): string {
	return new Date(at).toLocaleTimeString('en-GB');
}

function escape(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
}
