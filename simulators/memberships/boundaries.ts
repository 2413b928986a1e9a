import type { IDataObject } from 'n8n-workflow';

/**
 * What the expressions and calls of a workflow do, whatever a service sends. Every expression and
 * call up to **The List** is in it, and the tests try damaged values in each field that is read.
 */
export interface Boundaries {
	/** The nodes that read page by page. */
	pages: PagesFacts[];
	/** **Fields in Use** and **Who Is a Member**. */
	fields?: FieldsFacts;
	/** All other expressions, by their node and their field. */
	expressions: Record<string, ExpressionFacts>;
	/** What the workflow does if a node's request fails. */
	calls: Record<string, 'the execution fails' | 'the failure is data'>;
}

/** Nodes that read pages in the same way. */
export interface PagesFacts {
	nodes: string[];
	/** The parameter that says where the next page begins. */
	next: string;
	/** What the paging reads of a response. */
	reads: string[];
	/** A page that another one follows. */
	response: IDataObject;
}

/** What the workflow makes of the records on a page. */
export interface FieldsFacts {
	/** Where the records are. */
	list: string;
	/** A record whose access is `keep`, so that a damaged one can only change too much. */
	record(id: string): IDataObject;
	/** What a person enters in **Who Counts**. */
	counts: IDataObject;
	/** What each field reads of a record, and what it is for the record `b`. */
	of: Record<string, [reads: string[], ofB: unknown]>;
	/** What **Who Is a Member** says of the status of the record. */
	status: string;
}

/** An expression. */
export interface ExpressionFacts {
	/** The fields that can be anything, by the node that gives them. `$json` is the input. */
	reads?: Record<string, string[]>;
	/** What the expression gives then: one of some names or values, or a text. */
	gives: Given | RegExp | readonly string[];
	/** What the nodes have returned. The list is empty, and has two records in use, by default. */
	with?: Record<string, IDataObject>;
}

/** What an expression gives. `anything` is no exception, and `no change` opens and closes no feed. */
export type Given = 'anything' | 'text' | 'flag' | 'count' | 'seconds' | 'no change';
