import { FORMAT, type GameRecord, type RecordedPlayer, type Row } from '../../fairness/record.js';
import type { Player } from '../../rules/ruleset.js';
import type { AnyPlayer } from '../users/users.model.js';
import { outcomeOf, type EventRow, type GameRow, type PlyRow } from './game.row.js';
import { chainRowOf, inOrder } from './transition.js';

/** A game as one document that can be verified without the server. Source: docs/fairness.md, "The record". */

export interface Recorded {
  readonly row: GameRow;
  readonly plies: readonly PlyRow[];
  readonly events: readonly EventRow[];
  readonly users: ReadonlyMap<string, AnyPlayer>;
  readonly serverSeed: string | null;
}

const peopleOf = ({
  row: { firstId, secondId },
  users,
}: Recorded): Readonly<Record<Player, RecordedPlayer>> => {
  const person = (id: string) => ({ id, username: users.get(id)?.username ?? '' });
  return { first: person(firstId), second: person(secondId) };
};

export function recordOf(recorded: Recorded): GameRecord {
  const { row, serverSeed, events } = recorded;
  return {
    format: FORMAT,
    id: row.id,
    players: events.some(({ type }) => type === 'start') ? peopleOf(recorded) : null,
    outcome: outcomeOf(row),
    serverSeed,
    rows: rowsOf(recorded),
  };
}

/** The rows of the chain; a ply comes before the events of the same version. */
function rowsOf({ plies, events }: Recorded): readonly Row[] {
  const played = plies.map((ply) => ({ ply, seq: ply.seq }));
  const happened = [...events].sort(inOrder).map((event) => ({ event, seq: event.seq }));
  return [...played, ...happened]
    .sort((a, b) => a.seq - b.seq)
    .map((step) => ('ply' in step ? playedRow(step.ply) : eventRow(step.event)));
}

const playedRow = (ply: PlyRow): Row => ({
  ...chainRowOf(ply, ply.playedAt.toISOString()),
  previousHash: ply.previousHash,
  hash: ply.hash,
  ...(ply.proof === null ? {} : { proof: ply.proof }),
});

const eventRow = ({ seq, type, player, data, at, previousHash, hash }: EventRow): Row => ({
  seq,
  type,
  player,
  data,
  at: at.toISOString(),
  previousHash,
  hash,
});
