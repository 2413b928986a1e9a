import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Controls } from './controls';
import { faultSchema } from './faults';
import { ApiError, notFound } from '../wire/errors';
import { refusalOf } from '../wire/validation';
import { PROFILES, type ProfileName } from '../profiles';
import { settingsSchema } from '../settings';
import { LIST_KEYS } from '../data/lists';
import { SUBSCRIBER_STATES } from '../../../nodes/Supercast/subscriber/states';

const countSchema = z.object({ count: z.number().int().min(1).max(1_000_000).default(1) }).strict();
const recordsSchema = countSchema.extend({ resource: z.enum(LIST_KEYS) });
const revokeSchema = z
	.object({ which: z.enum(['manual', 'oauth', 'all']).default('all') })
	.strict();

/** The settings have no defaults here, so that a change of one does not reset the others. */
const changesSchema = z
	.object({
		profile: z.enum(Object.keys(PROFILES) as [ProfileName, ...ProfileName[]]).optional(),
		...(Object.fromEntries(
			Object.entries(settingsSchema.shape).map(([name, schema]) => [
				name,
				schema.removeDefault().optional(),
			]),
		) as object),
	})
	.strict();

const stateSchema = z
	.object({ subscriber: z.string().min(1), state: z.enum(SUBSCRIBER_STATES) })
	.strict();

/** Checks the body of a control request. The error names each wrong field. */
function check<T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>, body: unknown): T {
	const parsed = schema.safeParse(body ?? {});
	if (parsed.success) return parsed.data;
	throw refusalOf(parsed.error, 'body');
}

/**
 * The control API for tests. It needs no token, has no limit and counts nothing (project's
 * contract).
 */
export function registerControl(app: FastifyInstance, controls: Controls): void {
	app.get('/stats', async () => controls.stats());
	app.get('/requests', async () => controls.requests());
	app.get('/state', async () => controls.state());
	app.get('/faults', async () => controls.faults());
	app.post('/reset', async () => {
		controls.reset();
		return { reset: true };
	});
	app.post('/usage-alerts', async (request) => {
		const { count } = check(countSchema, request.body);
		const alerts = controls.addUsageAlerts(count);
		if (alerts.length === 0)
			throw new ApiError(422, 'There is no subscriber to raise an alert for');
		return { created: alerts.length, ids: alerts.map((alert) => alert.id) };
	});
	app.post('/records', async (request) => {
		const { resource, count } = check(recordsSchema, request.body);
		return { created: controls.addRecords(resource, count).length };
	});
	app.post('/expire-tokens', async () => ({ expired: controls.expireTokens() }));
	app.post('/revoke-tokens', async (request) => ({
		revoked: controls.revokeTokens(check(revokeSchema, request.body).which),
	}));
	app.post('/faults', async (request) => {
		const { body } = request;
		controls.addFaults(check(z.array(faultSchema), Array.isArray(body) ? body : [body]));
		return controls.faults();
	});
	app.delete('/faults', async () => {
		controls.clearFaults();
		return [];
	});
	app.post('/settings', async (request) => {
		const { profile, ...changes } = check(changesSchema, request.body);
		return controls.changeSettings(changes, profile);
	});
	app.post('/states', async (request) => {
		const { subscriber, state } = check(stateSchema, request.body);
		const changed = controls.setState(subscriber, state);
		if (changed === undefined) throw notFound('Subscriber');
		return { uuid: changed.uuid, state };
	});
}
