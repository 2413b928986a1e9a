import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialType,
	type ICredentialsExpressionResolveValues,
	type IExecuteData,
	type IHttpRequestOptions,
	type INodeProperties,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { SupercastApi } from '../../../credentials/SupercastApi.credentials';
import { SupercastOAuth2Api } from '../../../credentials/SupercastOAuth2Api.credentials';
import { channels } from '../../../nodes/Supercast/api/sharedChannel';
import { forgetAll } from '../../../nodes/Supercast/execution/memory/syncMemory';

const CREDENTIAL_TYPES: Record<string, ICredentialType> = {
	supercastApi: new SupercastApi(),
	supercastOAuth2Api: new SupercastOAuth2Api(),
};

let credentials = 0;

/**
 * Gives later credentials another ID, and forgets what the process knows of all channels and Syncs, such as
 * the names of new records. Otherwise, a test could wait because of an earlier test.
 */
export function renewCredentialId(): void {
	credentials += 1;
	channels.clear();
	forgetAll();
}

/** Replaces the server's credential store. It contains one credential, and uses its real type. */
export class TestCredentialsHelper extends ICredentialsHelper {
	/** How many times n8n has read the credential. */
	reads = 0;

	/** @param id The credential's ID. By default, it stays the same until it is renewed. */
	constructor(
		private readonly data: ICredentialDataDecryptedObject,
		readonly id = `test-${credentials}`,
	) {
		super();
	}

	/** The stored data, including tokens. */
	get stored(): ICredentialDataDecryptedObject {
		return structuredClone(this.data);
	}

	getParentTypes(name: string): string[] {
		return CREDENTIAL_TYPES[name]?.extends ?? [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = CREDENTIAL_TYPES[typeName] ?? {};
		if (typeof authenticate !== 'function') throw new Error(`${typeName} does not authenticate`);
		return await authenticate(credentials, requestOptions);
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('not used by the engine');
	}

	/** As in n8n's server, fields that are expressions are resolved for an item, unless `raw` is set. */
	async getDecrypted(
		_additionalData: unknown,
		_nodeCredentials: unknown,
		type: string,
		mode: WorkflowExecuteMode = 'trigger',
		executeData?: IExecuteData,
		raw?: boolean,
		item?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		this.reads += 1;
		await new Promise((resolve) => setImmediate(resolve));
		const properties = CREDENTIAL_TYPES[type]?.properties ?? [];
		const defaults = Object.fromEntries(
			properties.map((property) => [property.name, property.default]),
		);
		const data = { ...defaults, ...this.stored } as ICredentialDataDecryptedObject;
		if (raw === true || item === undefined) return data;
		return item.workflow.expression.getParameterValue(
			data as never,
			item.runExecutionData,
			item.runIndex,
			item.itemIndex,
			item.node.name,
			item.connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	}

	/** Older versions of n8n store new tokens here, with the rest of the credential. */
	async updateCredentials(
		nodeCredentials: unknown,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		await this.updateCredentialsOauthTokenData(nodeCredentials, type, data);
	}

	async updateCredentialsOauthTokenData(
		_nodeCredentials: unknown,
		_type: string,
		{ oauthTokenData }: ICredentialDataDecryptedObject,
	): Promise<void> {
		await new Promise((resolve) => setImmediate(resolve));
		this.data.oauthTokenData = structuredClone(oauthTokenData ?? {});
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return CREDENTIAL_TYPES[type]?.properties ?? [];
	}
}
