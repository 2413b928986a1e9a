'use strict';
/**
 * Loaded into n8n by the tests of the workflows. Redirects requests for the hosts of the membership
 * systems to their mock servers. MOCK_SERVERS has the address for each host. So the workflows run
 * unchanged.
 */
const http = require('node:http');
const https = require('node:https');

const addresses = new Map(Object.entries(JSON.parse(process.env.MOCK_SERVERS ?? '{}')));
const request = https.request;

https.request = (input, ...rest) => {
	const address = addresses.get(input.hostname ?? input.host);
	if (address === undefined) return request(input, ...rest);
	const { hostname, port, pathname } = new URL(address);
	const { agent, agents, ...options } = input;
	void [agent, agents];
	const here = { protocol: 'http:', hostname, host: hostname, port, servername: '' };
	return http.request({ ...options, ...here, path: `${pathname}${input.path}` }, ...rest);
};
