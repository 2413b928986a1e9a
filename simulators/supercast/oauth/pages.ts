/** The channel's owner. The login page shows the password, because there is nothing to protect. */
export const OWNER = { email: 'owner@example.com', password: 'sandbox-owner' } as const;

const ESCAPES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '');

function layout(title: string, content: string): string {
	return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; }
label, input { display: block; margin: .5rem 0; }
input, button { padding: .5rem 1rem; font: inherit; }
.problem { color: #a00; }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${content}
</body>
</html>`;
}

const hidden = (name: string, value: string): string =>
	`<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;

/** The login form. After logging in, the owner returns to the previous page. */
export function loginPage(query: string, problem?: string): string {
	const warning = problem === undefined ? '' : `<p class="problem">${escapeHtml(problem)}</p>`;
	return layout(
		'Log in',
		`${warning}
<form method="post" action="/oauth/login">
${hidden('query', query)}
<label>Email <input type="email" name="email" required autocomplete="username"></label>
<label>Password <input type="password" name="password" required autocomplete="off"></label>
<button type="submit" name="login">Log in</button>
</form>
<p>This is the sandbox. Log in as ${OWNER.email} with the password
${OWNER.password}.</p>`,
	);
}

const MEANING: Record<string, string> = {
	public: 'Read the channel, its subscribers and episodes',
	write: 'Change subscribers, feeds, episodes and usage alerts',
};

/** The consent form, where the owner authorizes or denies the application. */
export function consentPage(
	[application, channel]: [string, string],
	scope: readonly string[],
	parameters: Record<string, string>,
): string {
	const fields = Object.entries(parameters).map(([name, value]) => hidden(name, value));
	const rights = scope.map((one) => `<li><b>${escapeHtml(one)}</b>: ${MEANING[one] ?? ''}</li>`);
	return layout(
		`Authorize ${application}?`,
		`<p>${escapeHtml(application)} asks for access to the channel <b>${escapeHtml(channel)}</b>:</p>
<ul>${rights.join('')}</ul>
<form method="post" action="/oauth/authorize">
${fields.join('\n')}
<button type="submit" name="decision" value="authorize">Authorize</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>`,
	);
}

/** An error that can't be sent to the application, because its address is not trusted. */
export function oauthErrorPage(problem: string): string {
	return layout('An error has occurred', `<p class="problem">${escapeHtml(problem)}</p>`);
}
