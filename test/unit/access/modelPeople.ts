/** Which records on a list are of the same person, slow but simple. */

import type { Row } from './running';

/** An email in the form in which the model compares emails. */
export const key = (email: string): string => email.trim().toLowerCase();

/** What the list says about one person. */
export interface Listed {
	/** The strongest of the person's records. */
	access: string;
	/** By which others know them: those of all their records. */
	names: string[];
	/** Those of the records that count. */
	email: string;
	ids: string[];
	name: string | undefined;
}

/** The strongest first. Whatever is none of the others is unclear. */
const ACCESSES = ['open', 'unclear', 'keep', 'close'];

export function accessOf(row: Row): string {
	const { access } = { access: 'open', ...row };
	return ACCESSES.find((one) => one === access) ?? 'unclear';
}

function identifiersIn({ email, id }: Row): string[] {
	const names = email === '' ? [] : [`email ${key(email)}`];
	return id === undefined ? names : [...names, `id ${id}`];
}

/** Records that share a name are one person, directly or through others. */
export function personsOn(rows: Row[]): Listed[] {
	const persons = openPersonsOn(rows.filter((row) => accessOf(row) === 'open'));
	const left = ACCESSES.slice(1).flatMap((access) =>
		rows.filter((row) => accessOf(row) === access),
	);
	const addOthers = (person: Listed): void => {
		const row = left.find((one) => identifiersIn(one).some((name) => person.names.includes(name)));
		if (row === undefined) return;
		left.splice(left.indexOf(row), 1);
		const isFree = (name: string): boolean => !persons.some(({ names }) => names.includes(name));
		person.names.push(...identifiersIn(row).filter(isFree));
		addOthers(person);
	};
	persons.forEach(addOthers);
	while (left.length > 0) {
		const [row] = left.splice(0, 1) as [Row];
		const none = { email: '', ids: [], name: undefined };
		const person = { access: accessOf(row), names: identifiersIn(row), ...none };
		persons.push(person);
		addOthers(person);
	}
	return persons;
}

/** Rows with one email are one person. A row without an email is the person with its ID. */
function openPersonsOn(rows: Row[]): Listed[] {
	const persons: Listed[] = [];
	const add = (
		row: Row,
		person = {
			...{ access: 'open', names: [], email: key(row.email), ids: [], name: undefined },
		} as Listed,
	) => {
		if (!persons.includes(person)) persons.push(person);
		if (row.id !== undefined && !person.ids.includes(row.id)) person.ids.push(row.id);
		person.names.push(...identifiersIn(row));
		person.name = row.firstName ?? person.name;
	};
	const isNamed = ({ email }: Row): boolean => email !== '';
	for (const row of rows.filter(isNamed)) {
		add(
			row,
			persons.find(({ email }) => email === key(row.email)),
		);
	}
	for (const row of rows.filter((one) => !isNamed(one))) {
		add(
			row,
			persons.find(({ ids }) => ids.includes(row.id ?? '')),
		);
	}
	return persons;
}
