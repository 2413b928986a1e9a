'use strict';
/** Replaces the content of the dashboard every second, and marks what has changed since the last time. */
const view = document.getElementById('view');
let shown = '';
let seen = Date.now();
/** The emails that someone has opened or closed. */
const chosen = new Map();

async function refresh() {
	const response = await fetch('/view');
	const content = await response.text();
	if (content === shown) return;
	const isFirst = shown === '';
	shown = content;
	view.innerHTML = content;
	for (const [id, isOpen] of chosen) {
		const details = document.getElementById(id);
		if (details !== null) details.open = isOpen;
	}
	mark(isFirst);
}

/** Makes changed entries flash, except when the page shows its first content. */
function mark(isFirst) {
	let latest = seen;
	for (const element of view.querySelectorAll('[data-changed]')) {
		const at = Number(element.dataset.changed);
		if (at > seen && !isFirst) element.classList.add('flash');
		latest = Math.max(latest, at);
	}
	seen = latest;
}

view.addEventListener('click', ({ target }) => {
	const details = target.closest('summary')?.parentElement;
	if (details) chosen.set(details.id, !details.open);
});
document.addEventListener('submit', (event) => {
	event.preventDefault();
	const { action } = event.target;
	void fetch(action, { method: 'POST', redirect: 'manual' }).then(refresh);
});
setInterval(() => void refresh().catch(() => undefined), 1000);
