'use strict';

const folder = process.env.SUPERCAST_N8N_FOLDER;

/** The packages of n8n that this project's own files import, and those that they share. */
const ofN8n = new Set([
	...['n8n-core', 'n8n-workflow', 'reflect-metadata'],
	...['@n8n/backend-common', '@n8n/config', '@n8n/di'],
]);

/** Takes n8n's packages from the folder of the version under test. */
module.exports = (request, options) => {
	const isOutside = !options.basedir.startsWith(folder);
	const basedir = ofN8n.has(request) && isOutside ? folder : options.basedir;
	return options.defaultResolver(request, { ...options, basedir });
};
