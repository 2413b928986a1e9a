/** The people of a scenario, and what can go wrong with a list of them. */

import type { Row } from './running';

/** A person who is or was in the membership system. */
export interface Human {
	number: number;
	email: string;
	id: string;
	isMember: boolean;
	/** Their record on the list, if their membership is neither current nor over. */
	pause?: 'keep' | 'unclear';
	/** What their system still shows of them after they have left. */
	remains: 'none' | 'record' | 'recordWithoutEmail';
	/** The ID of an earlier membership that has ended, which their system still shows. */
	pastId: string | undefined;
	/** Whether the membership system leaves out their email, or their ID. */
	lacks: 'email' | 'id' | undefined;
}

/** How membership systems number their members. */
export const STYLES: Record<string, (number: number) => string> = {
	stripe: (number) => `cus_${(number * 7_919 + 1_000_003).toString(36)}`,
	digits: (number) => String(4_000 + number),
	initials: (number) => `${letter(number)}${letter(number * 5 + 2)}-${1_000 + number}`,
	names: (number) => `${letter(number).toLowerCase()}${number}.smith${number}`,
	emails: (number) => `${letter(number).toLowerCase()}${number}@members.example`,
	uuids: (number) => `1b4e28ba-2fa1-41d2-883f-${String(number).padStart(12, '0')}`,
};

export function letter(number: number): string {
	return String.fromCharCode(65 + (number % 26));
}

/** Whether the human has a record that has not ended. */
export function isOnList({ isMember, pause }: Human): boolean {
	return isMember || pause !== undefined;
}

/** What a spreadsheet shows if a formula fails. */
export function spoil(row: Row): Row {
	return Object.assign(row, { access: '#N/A', status: '' });
}

/** Where a list goes wrong. Without it, the list is as it should be. */
export type Mistake = 'cells' | 'half' | 'oldEmails' | 'one' | 'page' | 'stray';

export const MISTAKES: readonly Mistake[] = ['cells', 'half', 'oldEmails', 'one', 'page', 'stray'];
