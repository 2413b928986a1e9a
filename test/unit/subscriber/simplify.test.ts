import { simplifySubscriber } from '../../../nodes/Supercast/subscriber/kind';

const [first, second] = ['https://example.com/feeds/1', 'https://example.com/feeds/2'];

describe('the feed addresses of a subscriber', () => {
	it.each([
		[
			'of each subscription',
			{ subscriptions: [{ feed_url: first }, { feed_url: second }] },
			[first, second],
		],
		['of the older list', { feed_url: [first, second] }, [first, second]],
		['of the older text', { feed_url: first }, [first]],
		['not twice', { subscriptions: [{ feed_url: first }], feed_url: [first] }, [first]],
		['of nobody', { subscriptions: [], feed_url: null }, []],
		['where nothing is one', { subscriptions: [null, {}], feed_url: [null, 7] }, []],
	])('%s', (_name, record, expected) => {
		expect(simplifySubscriber(record).feed_urls).toEqual(expected);
	});
});
