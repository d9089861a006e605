import { clientSeedHash } from '../../fairness/commitment.js';
import { chained, type ChainedRow, type RowContent } from '../../fairness/chain.js';
import { seedOf } from '../../engine/deals.service.js';
import type { Role } from '../../fairness/deal.js';
import type { Player } from '../../rules/ruleset.js';
import type { GameRow } from '../games/game.row.js';
import type { NewEvent } from '../games/transition.js';
import type { ChallengeRow, SideWish } from './challenge.row.js';

/** What the chain of a game says of its challenge. Source: docs/fairness.md, "The chain". */

/** A challenge before its hashes are made. */
type Opened = Omit<ChallengeRow, 'createHash' | 'headHash'>;

/** Who takes a challenge, and their part in the shuffle. */
export interface Joining {
  readonly userId: string;
  readonly seed: GivenSeed;
  /** What he wishes to play himself; of a seek alone. */
  readonly side: SideWish;
  /** The id of his own seek, where two met. */
  readonly seek: string | null;
}

/** A client seed, or its hash in advance; both null: left to the server. */
export interface GivenSeed {
  readonly clientSeed: string | null;
  readonly clientSeedHash: string | null;
}

/** The hash of a client seed that is given or announced; null where it is left to the server. */
export const hashOfSeed = ({ clientSeed, clientSeedHash: hash }: GivenSeed): string | null =>
  hash ?? (clientSeed === null ? null : clientSeedHash(clientSeed));

/** That of a player of a game; in format 1 an empty seed is none. */
export function hashInGame(game: GameRow, player: Player): string | null {
  const role = player === game.creator ? 'creator' : 'accepter';
  const announced = role === 'creator' ? game.clientSeedHash : game.accepterSeedHash;
  return hashOfSeed({ clientSeed: seedOf(game, role) || null, clientSeedHash: announced });
}

/** The creator's part in the shuffle. */
export const creatorSeedOf = ({ creatorClientSeed, creatorClientSeedHash }: Opened): GivenSeed => ({
  clientSeed: creatorClientSeed,
  clientSeedHash: creatorClientSeedHash,
});

const createRow = (row: Opened): RowContent => ({
  seq: 0,
  type: 'create',
  player: null,
  data: {
    format: row.format,
    kind: row.kind,
    creator: row.creatorId,
    // Whoever has taken what was for everybody stands in the acceptance.
    opponent: row.kind === 'direct' ? row.opponentId : null,
    ruleset: row.ruleset,
    options: { ...row.options },
    timeControl: { ...row.timeControl },
    rated: row.rated,
    side: row.side,
    minRating: row.minRating,
    maxRating: row.maxRating,
    rematchOf: row.rematchOf,
    counterTo: row.counterTo,
    expiresAt: row.expiresAt.toISOString(),
    commitment: row.commitment,
    clientSeedHash: row.creatorClientSeedHash,
  },
  at: row.createdAt.toISOString(),
});

/** The creator has given his seed: others learn its hash alone before the acceptance. */
const seedRow = (row: Opened, at: Date): RowContent => ({
  seq: 1,
  type: 'seed',
  player: null,
  data: { by: 'creator', clientSeedHash: hashOfSeed(creatorSeedOf(row)), clientSeed: null },
  at: at.toISOString(),
});

/** The rows with which the chain of its game begins; the game counts its versions on from the last. */
export function openingRows(row: Opened): readonly [ChainedRow, ...ChainedRow[]] {
  const created = chained(row.id, createRow(row), null);
  return row.creatorSeedAt === null
    ? [created]
    : [created, chained(row.id, seedRow(row, row.creatorSeedAt), created.hash)];
}

/** A challenge with the hashes that stand for it; those of format 1 have none. */
export function withHashes(row: Opened): ChallengeRow {
  if (row.format === 1) return { ...row, createHash: null, headHash: null };
  const rows = openingRows(row);
  return { ...row, createHash: rows[0].hash, headHash: rows.at(-1)!.hash };
}

/** That of the newest row of the chain before the acceptance. */
export const versionOf = ({ creatorSeedAt }: ChallengeRow): number => (creatorSeedAt === null ? 0 : 1);

/** Where the creator sits as of the acceptance, and the counts of earlier games where they were looked at. */
export interface Seating {
  readonly creator: Player;
  readonly earlier: Readonly<Record<Role, number>> | null;
}

/** What has happened when a challenge is accepted; nothing that a game of format 1 would tell. */
export function acceptance(
  row: ChallengeRow,
  { userId, seed, side, seek }: Joining,
  { creator, earlier }: Seating,
  at: Date,
): readonly NewEvent[] {
  if (row.format === 1) return [];
  const accepted: RowContent = {
    seq: versionOf(row) + 1,
    type: 'accept',
    player: null,
    data: {
      accepter: userId,
      side,
      seek,
      clientSeedHash: hashOfSeed(seed),
      clientSeed: seed.clientSeed,
      earlier,
      creator,
    },
    at: at.toISOString(),
  };
  return [...openingRows(row), accepted].map((content) => eventOf(row.id, content));
}

/** An announced client seed has come. */
export const seedGiven = (gameId: string, seq: number, by: Role, clientSeed: string, at: Date): NewEvent =>
  eventOf(gameId, {
    seq,
    type: 'seed',
    player: null,
    data: { by, clientSeedHash: clientSeedHash(clientSeed), clientSeed },
    at: at.toISOString(),
  });

const eventOf = (gameId: string, { seq, type, player, data, at }: RowContent): NewEvent => ({
  gameId,
  seq,
  type: type as NewEvent['type'],
  player,
  data,
  at: new Date(at),
});
