import { storyboard } from '../../harness/storyboard';

it('speaks slowly enough: each sentence has at most 20 words', () => {
	for (const { caption } of Object.values(storyboard)) {
		expect(caption.split(' ').length).toBeLessThanOrEqual(20);
	}
});
