'use strict';
/**
 * Loaded into n8n by the tests of the workflows. Redirects requests for the hosts of the membership
 * systems, in MOCK_SERVERS_HOSTS, to the address in MOCK_SERVERS_ORIGIN. So the workflows run
 * unchanged.
 */
const http = require('node:http');
const https = require('node:https');

const { MOCK_SERVERS_ORIGIN: origin, MOCK_SERVERS_HOSTS = '' } = process.env;
const hosts = new Set(MOCK_SERVERS_HOSTS.split(','));

if (origin) {
	const { hostname, port } = new URL(origin);
	const request = https.request;
	https.request = (input, ...rest) => {
		const asked = input instanceof URL ? input.hostname : (input.hostname ?? input.host);
		if (!hosts.has(asked)) return request(input, ...rest);
		const { agent, agents, ...options } = input;
		void [agent, agents];
		const here = { ...options, protocol: 'http:', hostname, host: hostname, port, servername: '' };
		return http.request(here, ...rest);
	};
}
