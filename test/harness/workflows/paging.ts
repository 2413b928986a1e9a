/** Reads pages as n8n's HTTP Request node does, by the expressions of a workflow. */

import type { IDataObject, IExecuteFunctions, INode, Workflow } from 'n8n-workflow';

import { askMockServer, type MockAnswer } from '../../../simulators/memberships/requests';

interface Parameter {
	name: string;
	value: unknown;
	type?: string;
}

/** How a workflow says where the next page is, and which page is the last. */
interface Paging {
	parameters: { parameters: Parameter[] };
	completeExpression: string;
	maxRequests?: number;
}

interface Request {
	url: string;
	query: Record<string, string>;
	body: Record<string, string> | undefined;
}

/** The servers, and how a request is allowed to read them. */
export interface Servers {
	app: Parameters<typeof askMockServer>[0]['app'];
	headersFor: (url: string) => Record<string, string>;
}

/** What an expression of the paging can read. */
type Seen = Record<string, unknown>;

/** Reads all pages. Throws if the server refuses one. */
export async function readWorkflowPages(
	context: IExecuteFunctions,
	{ workflow, node, item }: { workflow: Workflow; node: INode; item: number },
	servers: Servers,
): Promise<IDataObject[]> {
	const resolve = (value: unknown, seen: Seen): unknown =>
		workflow.expression.getParameterValue(
			value as string,
			(context as unknown as { runExecutionData: never }).runExecutionData,
			0,
			item,
			node.name,
			context.getInputData(),
			context.getMode(),
			seen as never,
		);
	const options = node.parameters.options as unknown as {
		pagination?: { pagination: Paging };
		response: { response: { fullResponse?: boolean; responseFormat: string } };
	};
	const paging = options.pagination?.pagination;
	const { fullResponse = false, responseFormat } = options.response.response;
	const pages: IDataObject[] = [];
	let seen: Seen = { $response: {}, $pageCount: 0 };
	do {
		const answer = await ask(
			requestOf(node, paging, (value) => resolve(value, seen)),
			servers,
		);
		const body = bodyOf(answer, responseFormat);
		const headers = Object.fromEntries(answer.headers);
		const response = { body, headers, statusCode: answer.status };
		pages.push((fullResponse ? response : body) as IDataObject);
		seen = { $response: response, $pageCount: pages.length };
	} while (
		paging !== undefined &&
		pages.length < (paging.maxRequests ?? Infinity) &&
		resolve(paging.completeExpression, seen) === false
	);
	return pages;
}

function requestOf(
	{ parameters }: INode,
	paging: Paging | undefined,
	resolve: (value: unknown) => unknown,
): Request {
	const given = (name: string) =>
		((parameters[name] as { parameters?: Parameter[] } | undefined)?.parameters ?? []).slice();
	const next = paging?.parameters.parameters ?? [];
	const isBody = ({ type }: Parameter) => type === 'body';
	const valuesOf = (all: Parameter[]) =>
		Object.fromEntries(
			all
				.map(({ name, value }) => [name, resolve(value)] as const)
				.filter(([, value]) => value !== undefined)
				.map(([name, value]) => [name, String(value)]),
		);
	const body = [...given('bodyParameters'), ...next.filter(isBody)];
	return {
		url: String(resolve(parameters.url)),
		query: valuesOf([...given('queryParameters'), ...next.filter((one) => !isBody(one))]),
		body: body.length === 0 ? undefined : valuesOf(body),
	};
}

async function ask({ url, query, body }: Request, { app, headersFor }: Servers) {
	const headers = headersFor(url);
	const answer = await askMockServer({ app }, new URL(url).pathname, { query, headers, body });
	if (answer.status < 300) return answer;
	throw new Error(`The server answered with ${answer.status}: ${answer.text.slice(0, 80)}`);
}

/** n8n takes a page that is no JSON as a text, and damaged JSON as an empty object. */
function bodyOf({ json, text, headers }: MockAnswer, responseFormat: string): unknown {
	if (responseFormat === 'file') return { text };
	if (json !== undefined) return json;
	return headers.get('content-type')?.includes('html') === true ? { data: text } : {};
}
