import { opponent, type Player } from '../../rules/ruleset.js';
import { ROLES, type Role } from '../deal.js';
import type { AcceptData, CreateData, Row, SeedData, StartData } from '../record.js';

/** The rows with which a game begins. See docs/fairness.md, "The chain". */

/** A row with typed data. */
export type Typed<Data> = Omit<Row, 'data'> & { readonly data: Data };

export interface Beginning {
  readonly create: Typed<CreateData>;
  /** All seeds, given before or after the acceptance. */
  readonly seeds: readonly Typed<SeedData>[];
  /** The seed given before the acceptance. */
  readonly early: Typed<SeedData> | null;
  readonly accept: Typed<AcceptData>;
  /** Null while the game waits for a seed. */
  readonly start: Typed<StartData> | null;
  /** The rows after these. */
  readonly later: readonly Row[];
}

/** The letter of a type of row here. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['create', 'c'],
  ['seed', 's'],
  ['accept', 'a'],
  ['start', 'S'],
]);

const ORDER = /^cs?as{0,2}S?[^csaS]*$/;

/** Null if the rows are not in the order of a game. */
export function beginningOf(rows: readonly Row[]): Beginning | null {
  const order = rows.map(({ type }) => LETTERS.get(type) ?? '-').join('');
  if (!ORDER.test(order)) return null;
  const of = (type: string): readonly Row[] => rows.filter((row) => row.type === type);
  const seeds = of('seed').map((row) => typed<SeedData>(row));
  return {
    create: typed<CreateData>(of('create')[0]!),
    seeds,
    early: rows[1]!.type === 'seed' ? seeds[0]! : null,
    accept: typed<AcceptData>(of('accept')[0]!),
    start: of('start').map((row) => typed<StartData>(row))[0] ?? null,
    later: rows.filter(({ type }) => !LETTERS.has(type)),
  };
}

/** Safe after the form of the record has been checked. */
export const typed = <Data>(row: Row): Typed<Data> => row as unknown as Typed<Data>;

/** The last row before the game started, or before it stopped waiting. */
export const lastBefore = ({ accept, seeds, early }: Beginning): Typed<AcceptData> | Typed<SeedData> =>
  seeds.findLast((seed) => seed !== early) ?? accept;

/** The hash of a seed that was announced and comes later. */
export function announcedBy({ create, accept }: Beginning, role: Role): string | null {
  if (role === 'creator') return create.data.clientSeedHash;
  return accept.data.clientSeed === null ? accept.data.clientSeedHash : null;
}

/** The roles whose announced seeds have not come. */
export const awaited = (beginning: Beginning): readonly Role[] =>
  ROLES.filter(
    (role) => announcedBy(beginning, role) !== null && beginning.seeds.every(({ data }) => data.by !== role),
  );

/** What decides the sides, and the side of the creator; null if the seeds decide. */
export interface Seat {
  readonly by: StartData['sidesBy'];
  readonly creator: Player | null;
}

/** Decided by the creator's chosen side, else the accepter's, else by who was first in fewer earlier games. */
export function seatOf({ create, accept }: Beginning): Seat {
  const [{ side }, { side: accepters, earlier }] = [create.data, accept.data];
  if (side !== 'any') return { by: 'wish', creator: side };
  if (accepters !== 'any') return { by: 'wish', creator: opponent(accepters) };
  if (earlier === null || earlier.creator === earlier.accepter) return { by: 'seeds', creator: null };
  return { by: 'balance', creator: earlier.creator < earlier.accepter ? 'first' : 'second' };
}

/** True if `player`, given as a role, a seat or an id, has this role. */
export function isPlayer(role: Role, player: string, { creator, first, second }: StartData): boolean {
  const isFirst = (creator === 'first') === (role === 'creator');
  return [role, ...(isFirst ? ['first', first] : ['second', second])].includes(player);
}
