'use strict';

// For use in a checkout, after a build. The published package has no entry, since n8n finds its
// nodes and credentials through the "n8n" block of package.json.
module.exports = {
	...require('./dist/credentials/SupercastApi.credentials.js'),
	...require('./dist/credentials/SupercastOAuth2Api.credentials.js'),
	...require('./dist/nodes/Supercast/Supercast.node.js'),
	...require('./dist/nodes/Supercast/SupercastTrigger.node.js'),
};
