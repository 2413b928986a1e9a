import { XMLBuilder } from 'fast-xml-parser';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { isOpen } from './feeds';
import { feedUrl } from './subscribers';
import type { Episode, Subscriber } from '../data/records';

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true });

/** XML does not allow these characters, not even escaped. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const clean = (text: string): string => text.replace(FORBIDDEN, '');

const rfc822 = (time: string): string => new Date(time).toUTCString();

/**
 * An episode is published if it has a title and an audio file (Supercast's help), and its
 * publication date has been reached.
 */
function published(context: Context): Episode[] {
	const now = context.now();
	return context.database.lists.episodes
		.rows()
		.filter((row) => row.has_audio && row.published_at !== null)
		.filter((row) => Date.parse(row.published_at ?? '') <= now)
		.sort((left, right) => ((left.published_at ?? '') < (right.published_at ?? '') ? 1 : -1));
}

function item(episode: Episode, context: Context): object {
	return {
		title: clean(episode.title),
		description: clean(episode.summary ?? episode.title),
		guid: { '@isPermaLink': 'false', '#text': `episode-${episode.id}` },
		pubDate: rfc822(episode.published_at ?? episode.created_at),
		enclosure: {
			'@url': `${context.origin}/audio/${episode.id}.mp3`,
			'@length': '1024',
			'@type': 'audio/mpeg',
		},
		'itunes:explicit': episode.explicit,
	};
}

/** A subscriber's private feed as an RSS 2.0 document. */
export function rssDocument(subscriber: Subscriber, context: Context): string {
	const { channel } = context.database;
	const document = {
		'?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
		rss: {
			'@version': '2.0',
			'@xmlns:atom': 'http://www.w3.org/2005/Atom',
			'@xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
			channel: {
				title: clean(channel.title),
				link: channel.website_url ?? context.origin,
				description: clean(channel.description ?? channel.title),
				language: channel.language ?? 'en',
				'atom:link': {
					'@href': feedUrl(subscriber, context),
					'@rel': 'self',
					'@type': 'application/rss+xml',
				},
				'itunes:block': 'yes',
				item: published(context).map((episode) => item(episode, context)),
			},
		},
	};
	return builder.build(document);
}

/**
 * Serves the feeds without a token, as podcast apps require. The status is 200 while the
 * subscriber has access, and 403 if the feed is closed. For an address that never existed, it is
 * 404.
 */
export function registerRss(app: FastifyInstance, context: Context): void {
	app.get('/feeds/:file', { exposeHeadRoute: true }, (request, reply) => {
		const { file } = request.params as { file: string };
		const owner = context.database.feeds.get(file.replace(/\.xml$/, ''));
		reply.header('Cache-Control', 'no-store');
		if (owner === undefined || !file.endsWith('.xml')) {
			return reply.code(404).type('text/plain').send('This feed does not exist.');
		}
		if (owner === null || !isOpen(owner)) {
			return reply.code(403).type('text/plain').send('Access to this feed has ended.');
		}
		return reply.type('application/rss+xml; charset=utf-8').send(rssDocument(owner, context));
	});
}
