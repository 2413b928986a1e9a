'use strict';

// n8n finds nodes and credentials through the "n8n" block of package.json; this is for everybody else.
module.exports = {
	...require('./dist/credentials/SupercastApi.credentials.js'),
	...require('./dist/credentials/SupercastOAuth2Api.credentials.js'),
	...require('./dist/nodes/Supercast/Supercast.node.js'),
	...require('./dist/nodes/Supercast/SupercastTrigger.node.js'),
};
