import { recordSubject } from '../operations/kinds';
import { changeUnlessMissing, ifMissingOption, REMEDY_IF_MISSING } from '../operations/removal';
import { removal } from '../operations/removal';
import type { Operation } from '../operations/types';
import { subscribers } from './kind';

/** Deletes a subscriber, for example when a membership is canceled. */
export const remove: Operation = {
	name: 'Delete',
	action: 'Delete subscriber',
	description:
		'Delete a subscriber permanently and close their private feeds immediately. If a membership ends, use Feed: Deactivate instead.',
	notice:
		'This cannot be undone. If this person returns, they get a new feed address. To close the feeds but keep the subscriber, use Feed: Deactivate. If Supercast bills this person, check in Supercast whether billing has ended too.',
	properties: [subscribers.locator],
	options: [
		ifMissingOption(subscribers, {
			fail: 'Stop, so that a mistyped email does not look like a successful deletion',
			succeed: 'Continue. Use this if cancellations can arrive twice.',
		}),
	],
	prepare: (item) => {
		const { key, value, resolve } = subscribers.identify(item);
		const unlessMissing = changeUnlessMissing(subscribers, item);
		const subject = {
			...recordSubject(subscribers, value),
			remedyIfMissing: REMEDY_IF_MISSING,
		};
		return {
			record: value,
			run: async (client) => {
				const deleted = await unlessMissing(client, resolve, async (name) => {
					const path = [subscribers.path, name];
					await removal(client, subscribers, { method: 'DELETE', path, subject });
				});
				const outcome =
					deleted === undefined ? { deleted: false, alreadyMissing: true } : { deleted: true };
				return [{ ...outcome, [key]: value }];
			},
		};
	},
};
