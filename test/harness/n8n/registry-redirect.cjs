'use strict';
/**
 * Loaded into n8n and, through NODE_OPTIONS, into the npm that n8n runs. Redirects requests for
 * npm's registry to the address in NPM_STAND_IN. So n8n can install a package that is not published
 * yet.
 */
const http = require('node:http');
const https = require('node:https');

const standIn = process.env.NPM_STAND_IN;

if (standIn) {
	const { hostname, port } = new URL(standIn);
	const request = https.request;
	https.request = (input, ...rest) => {
		const asked = input instanceof URL ? input.hostname : (input.hostname ?? input.host);
		if (asked !== 'registry.npmjs.org') return request(input, ...rest);
		const { agent, agents, ...options } = input;
		void [agent, agents];
		const here = { ...options, protocol: 'http:', hostname, host: hostname, port, servername: '' };
		return http.request(here, ...rest);
	};
}
