/** A scene of the video for n8n's reviewers: what it shows, and the sentence to speak. */
export interface Scene {
	name: string;
	does: string;
	caption: string;
}

/** In the order of the video. */
export const storyboard = {
	install: {
		name: 'Install',
		does: 'Install `n8n-nodes-supercast` under **Settings** > **Community nodes**.',
		caption: 'We install the package from npm, in the settings of n8n.',
	},
	credential: {
		name: 'Credential',
		does: 'Create a **Supercast API** credential with an access token, and save it.',
		caption: 'A credential needs only an access token. When we save it, n8n tests the connection.',
	},
	trigger: {
		name: 'Trigger',
		does: 'Add **Supercast Trigger** with **Usage Alert Created**, every minute, and publish.',
		caption: 'The trigger starts a workflow when Supercast flags a feed as shared.',
	},
	read: {
		name: 'Read',
		does: 'Run **Subscriber: Get Many**.',
		caption: 'The node lists the subscribers of the podcast.',
	},
	open: {
		name: 'Open',
		does: 'Run **Subscriber: Create or Update** with a new email.',
		caption: 'When a member joins, Create or Update opens a private feed.',
	},
	close: {
		name: 'Close',
		does: 'Run **Feed: Deactivate** for the same email.',
		caption: 'When the membership ends, Deactivate closes the feed.',
	},
	message: {
		name: 'Message',
		does: 'Run it for an email that does not exist.',
		caption: 'If something is wrong, the node says what happened and what to do.',
	},
	fires: {
		name: 'Trigger fires',
		does: 'Open the executions of the published workflow.',
		caption: 'Meanwhile, Supercast raised a usage alert, and the trigger started its workflow.',
	},
} satisfies Record<string, Scene>;
