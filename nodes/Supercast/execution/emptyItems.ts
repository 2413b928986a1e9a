/**
 * Where an item without any field comes from: from n8n, or from a record that was damaged. And which
 * node would end the execution without a word if it returned no items.
 */

import type { IExecuteFunctions, INodeExecutionData, IRunData, ISourceData } from 'n8n-workflow';

import { asRecord } from '../api/json';
import { nodesBefore, runDataOf } from './context';

/** A workflow with more nodes in a row is not followed further. */
const MOST_STEPS = 100;

/**
 * Whether n8n has made an item, because a node before this one returned nothing and its setting
 * Always Output Data is on. Follows the item back through the nodes that passed it on.
 */
export function isMadeByN8n(context: IExecuteFunctions, index: number): boolean {
	const runs = runDataOf(context)?.resultData.runData ?? {};
	let place = placeAt(inputSourceOf(context), index);
	for (let steps = 0; place !== undefined && steps < MOST_STEPS; steps++) {
		const output = itemsFrom(runs, place.source);
		const item = output[place.item];
		// A node that was given fields has lost them.
		if (item === undefined || Object.keys(asRecord(item.json)).length > 0) return false;
		if (isN8ns(item, output) && alwaysOutputs(context, place.source.previousNode)) return true;
		place = originOf(runs, place.source, item);
	}
	return false;
}

/** Nodes that pass on what they get. A branch of theirs may have no items on purpose. */
const PASSING = ['if', 'limit', 'switch'].map((name) => `n8n-nodes-base.${name}`);

/**
 * The node before this one whose setting Always Output Data is off, so that n8n does not run this
 * one if it returns no items. Undefined if there is none, or if only a trigger comes before.
 */
export function silentNodeBefore(context: IExecuteFunctions): string | undefined {
	const name = sourceBeforePassing(context)?.previousNode;
	if (name === undefined || nodesBefore(context, name).length === 0) return undefined;
	return alwaysOutputs(context, name) ? undefined : name;
}

function sourceBeforePassing(context: IExecuteFunctions): ISourceData | undefined {
	const runs = runDataOf(context)?.resultData.runData ?? {};
	const before = context.getParentNodes(context.getNode().name);
	const passing = before.filter(({ type }) => PASSING.includes(type)).map(({ name }) => name);
	const goBack = (source?: ISourceData, steps = MOST_STEPS): ISourceData | undefined => {
		const isPassing = source !== undefined && passing.includes(source.previousNode);
		if (!isPassing || steps === 0) return source;
		return goBack(runOf(runs, source)?.source?.[0] ?? undefined, steps - 1);
	};
	return goBack(inputSourceOf(context));
}

/** The output from which the items of this node come. */
function inputSourceOf(context: IExecuteFunctions): ISourceData | undefined {
	return context.getExecuteData().source?.main?.[0] ?? undefined;
}

/** n8n pairs its item with all items that the node received, and nodes pair theirs with one of them. */
function isN8ns({ pairedItem }: INodeExecutionData, { length }: INodeExecutionData[]): boolean {
	return length === 1 && Array.isArray(pairedItem);
}

/** An item in the output of a node. */
interface ItemOrigin {
	source: ISourceData;
	item: number;
}

function placeAt(source: ISourceData | null | undefined, item: number): ItemOrigin | undefined {
	return source ? { source, item } : undefined;
}

/** Where the item came from that a node has passed on. */
function originOf(
	runs: IRunData,
	source: ISourceData,
	item: INodeExecutionData,
): ItemOrigin | undefined {
	const origins = [item.pairedItem ?? []].flat();
	const [origin] = origins;
	if (origin === undefined || origins.length > 1) return undefined;
	const { item: before, input = 0 } = typeof origin === 'number' ? { item: origin } : origin;
	return placeAt(runOf(runs, source)?.source?.[input], before);
}

function runOf(runs: IRunData, { previousNode, previousNodeRun = 0 }: ISourceData) {
	return runs[previousNode]?.[previousNodeRun];
}

function itemsFrom(runs: IRunData, source: ISourceData): INodeExecutionData[] {
	return runOf(runs, source)?.data?.main?.[source.previousNodeOutput ?? 0] ?? [];
}

/**
 * Whether a node's setting Always Output Data is on. Beyond n8n's documented interface (n8n-core,
 * NodeExecutionContext): if the workflow is not there, the form of the item decides.
 */
function alwaysOutputs(context: IExecuteFunctions, name: string): boolean {
	const { nodes } = asRecord((context as { workflow?: unknown }).workflow);
	return nodes === undefined || asRecord(asRecord(nodes)[name]).alwaysOutputData === true;
}
