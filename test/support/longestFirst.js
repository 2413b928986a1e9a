'use strict';

const { default: Sequencer } = require('@jest/test-sequencer');

/** Files whose tests take long, although the files are short. */
const LONG =
	/test.(acceptance.create|acceptance.access.(confirmation|set)|acceptance.limits.pacing|probe.s|release)/;

/** In a clean checkout, Jest starts with the largest files, as it does not know how long each takes. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const isLong = ({ path }) => Number(LONG.test(path));
		return super.sort(tests).sort((one, other) => isLong(other) - isLong(one));
	}
};
