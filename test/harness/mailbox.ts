import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** An email as received. */
export interface Mail {
	to: string;
	subject: string;
	/** The body, decoded. Of an email with several parts, the plain text. */
	text: string;
	/** The part for email programs that show HTML, if there are several parts. */
	html?: string;
}

/** An SMTP server that keeps the emails that it receives. */
export interface Mailbox {
	port: number;
	mails: Mail[];
	/** If this is set, the server refuses every email. */
	refusing: boolean;
	/** Addresses that do not exist, so that the server refuses each email to one of them. */
	unknown: Set<string>;
	/** The addresses that the server has refused, once for each try. */
	refused: string[];
	/** How long the server takes to accept an email. */
	delayMs: number;
	/** Waits for the first matching email, starting at the given number. */
	next: (subject: RegExp, from?: number, patienceMs?: number) => Promise<Mail>;
	close: () => Promise<void>;
}

/** Starts an SMTP server on the loopback interface. */
export async function startMailbox(): Promise<Mailbox> {
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS', 'AUTH'],
		onRcptTo: ({ address }, _session, done) => {
			const refusal = Object.assign(new Error('No such user here'), { responseCode: 550 });
			if (!mailbox.unknown.has(address)) return done();
			mailbox.refused.push(address);
			done(refusal);
		},
		onData: (stream, _session, done) => {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				if (mailbox.refusing) return done(new Error('Mailbox full'));
				setTimeout(() => {
					mailbox.mails.push(parse(Buffer.concat(chunks).toString('utf8')));
					done();
				}, mailbox.delayMs);
			});
		},
	});
	// A killed n8n drops its connections. If nothing handles that, the test itself ends.
	server.on('error', () => undefined);
	const mailbox: Mailbox = {
		port: 0,
		mails: [],
		refusing: false,
		unknown: new Set(),
		refused: [],
		delayMs: 0,
		next: async (subject, from = 0, patienceMs = 30_000) => {
			const deadline = Date.now() + patienceMs;
			for (;;) {
				const mail = mailbox.mails.slice(from).find((one) => subject.test(one.subject));
				if (mail !== undefined) return mail;
				if (Date.now() > deadline)
					throw new Error(`No email came with a subject like ${String(subject)}`);
				await new Promise((resolve) => setTimeout(resolve, 100));
			}
		},
		close: async () => await new Promise((resolve) => server.close(resolve)),
	};
	await new Promise<void>((resolve, reject) => {
		server.server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	mailbox.port = (server.server.address() as AddressInfo).port;
	return mailbox;
}

/** Parses one of n8n's emails, which have ASCII headers, and one part or a text and HTML. */
function parse(raw: string): Mail {
	const { header, body } = part(raw);
	const mail = { to: header('to'), subject: header('subject') };
	const [, boundary] = /^multipart\/.*boundary="?([^";]+)/i.exec(header('content-type')) ?? [];
	if (boundary === undefined) return { ...mail, text: body };
	const parts = body.split(`--${boundary}`).map((one) => part(one.trimStart()));
	const bodyOf = (type: RegExp) =>
		parts.find((one) => type.test(one.header('content-type')))?.body.trimEnd();
	return { ...mail, text: bodyOf(/^text\/plain/) ?? '', html: bodyOf(/^text\/html/) };
}

/** Reads the headers of an email or of one of its parts, and decodes its body. */
function part(raw: string): { header: (name: string) => string; body: string } {
	const lines = raw.replaceAll('\r\n', '\n');
	const split = lines.indexOf('\n\n');
	const headers = lines.slice(0, split).replace(/\n[ \t]+/g, ' ');
	const header = (name: string) =>
		new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1]?.trim() ?? '';
	const encoding = header('content-transfer-encoding').toLowerCase();
	return { header, body: decode(lines.slice(split + 2), encoding) };
}

function decode(body: string, encoding: string): string {
	if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
	if (encoding !== 'quoted-printable') return body;
	const bytes = body
		.replace(/=\n/g, '')
		.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1').toString('utf8');
}
