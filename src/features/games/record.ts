import type { GameRecord } from '../../fairness/record.js';
import type { User } from '../users/users.model.js';
import { outcomeOf, type GameRow, type PlyRow } from './game.row.js';

/** A game as one document that can be checked without the server (see fairness/verify.ts). */
export function recordOf(
  row: GameRow,
  plies: readonly PlyRow[],
  users: ReadonlyMap<string, User>,
  serverSeed: string | null,
): GameRecord {
  const person = (id: string) => ({ id, username: users.get(id)?.username ?? '' });
  return {
    id: row.id,
    ruleset: row.ruleset,
    options: row.options,
    setup: row.setup,
    players: { first: person(row.firstId), second: person(row.secondId) },
    creator: row.creator,
    sidesDrawn: row.sidesDrawn,
    timeControl: { ...row.timeControl },
    commitment: row.commitment,
    dealRoot: row.dealRoot,
    clientSeeds: { first: row.firstClientSeed, second: row.secondClientSeed },
    clientSeedHash: row.clientSeedHash,
    serverSeed,
    termsHash: row.termsHash ?? '',
    plies: plies.map(recordedPly),
    takebacks: row.takebacks,
    outcome: outcomeOf(row),
    status: row.status,
  };
}

const recordedPly = ({
  gameId: _game,
  captured: _captured,
  playedAt,
  ...ply
}: PlyRow): GameRecord['plies'][number] => ({
  ...ply,
  playedAt: playedAt.toISOString(),
});
