import { pick, type Random } from './random';

// Our own short list keeps the sandbox deterministic.
const FIRST_NAMES =
	`Ada Amir Anika Bruno Carmen Chidi Clara Dmitri Elif Emeka Fatima Greta Hana Hugo Ines Ivan
	Jonas Kaito Leila Linh Luca Maja Marta Mateo Nadia Noor Olga Omar Paula Priya Quentin Rosa
	Sami Selma Tariq Tove Uma Viktor Wanda Yara`.split(/\s+/);

const LAST_NAMES =
	`Abara Almeida Andersen Bauer Bianchi Castro Chen Dubois Eriksen Farkas Garcia Haddad Horvat
	Ito Jansen Kaya Keller Kowalski Laine Lopez Marin Meyer Moreau Nguyen Novak Okafor Olsen
	Patel Petrov Quist Rossi Sato Silva Tanaka Urban Vega Weber Yilmaz Zeman Zhou`.split(/\s+/);

export const TOPICS =
	'a lighthouse keeper, the night train, an orchard in winter, lost recordings, the last cinema, a letter unopened, salt and bread, the cartographer, two rivers, a borrowed piano, the long strike, voices on shortwave'.split(
		', ',
	);

/** A made-up name. */
export function inventedName(random: Random): { first_name: string; last_name: string } {
	return { first_name: pick(random, FIRST_NAMES), last_name: pick(random, LAST_NAMES) };
}

/** An email address for a name. The number makes it unique. */
export function addressFor(name: ReturnType<typeof inventedName>, number: number): string {
	return `${name.first_name}.${name.last_name}.${number}@example.com`.toLowerCase();
}
