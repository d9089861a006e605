import { clientSeedHash } from '../../fairness/commitment.js';
import { chained, type ChainedRow, type RowContent } from '../../fairness/chain.js';
import { seedOf } from '../../engine/deals.service.js';
import type { Role } from '../../fairness/deal.js';
import { FORMAT } from '../../fairness/record.js';
import type { Player } from '../../rules/ruleset.js';
import type { GameRow } from '../games/game.row.js';
import type { NewEvent } from '../games/transition.js';
import type { SeatWish } from '../games/given-seat.js';
import type { ChallengeRow } from './challenge.row.js';

/** The rows of a game's chain that describe its challenge. Source: docs/fairness.md, "The chain". */

/** A challenge without its hashes. */
type Opened = Omit<ChallengeRow, 'createHash' | 'headHash'>;

/** The user who accepts a challenge, with their client seed. */
export interface Joining {
  readonly userId: string;
  readonly seed: GivenSeed;
  /** Their own wish; `any` unless they had a seek. */
  readonly side: SeatWish;
  /** The id of their own seek, if two were paired. */
  readonly seek: string | null;
}

/** A client seed, or its hash in advance; both null if left to the server. */
export interface GivenSeed {
  readonly clientSeed: string | null;
  readonly clientSeedHash: string | null;
}

/** The hash of a client seed, given or announced; null if left to the server. */
export const hashOfSeed = ({ clientSeed, clientSeedHash: hash }: GivenSeed): string | null =>
  hash ?? (clientSeed === null ? null : clientSeedHash(clientSeed));

/** The hash of a player's client seed in a game; null if left to the server. */
export function hashInGame(game: GameRow, player: Player): string | null {
  const role = player === game.creator ? 'creator' : 'accepter';
  const announced = role === 'creator' ? game.clientSeedHash : game.accepterSeedHash;
  return hashOfSeed({ clientSeed: seedOf(game, role), clientSeedHash: announced });
}

export const creatorSeedOf = ({ creatorClientSeed, creatorClientSeedHash }: Opened): GivenSeed => ({
  clientSeed: creatorClientSeed,
  clientSeedHash: creatorClientSeedHash,
});

const createRow = (row: Opened): RowContent => ({
  seq: 0,
  type: 'create',
  player: null,
  data: {
    format: FORMAT,
    kind: row.kind,
    creator: row.creatorId,
    // The accepter of a link or a seek is in the acceptance row.
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

/** The row for the creator's seed, with its hash only: the seed itself stays secret until the acceptance. */
const seedRow = (row: Opened, at: Date): RowContent => ({
  seq: 1,
  type: 'seed',
  player: null,
  data: { by: 'creator', clientSeedHash: hashOfSeed(creatorSeedOf(row)), clientSeed: null },
  at: at.toISOString(),
});

/** The first rows of the game's chain; the versions of the game continue from the last. */
export function openingRows(row: Opened): readonly [ChainedRow, ...ChainedRow[]] {
  const created = chained(row.id, createRow(row), null);
  return row.creatorSeedAt === null
    ? [created]
    : [created, chained(row.id, seedRow(row, row.creatorSeedAt), created.hash)];
}

/** A challenge with its hashes. */
export function withHashes(row: Opened): ChallengeRow {
  const rows = openingRows(row);
  return { ...row, createHash: rows[0].hash, headHash: rows.at(-1)!.hash };
}

/** The version of the last row of the chain before the acceptance. */
export const versionOf = ({ creatorSeedAt }: ChallengeRow): number => (creatorSeedAt === null ? 0 : 1);

/** The creator's seat at the acceptance, and the counts of earlier games if they were compared. */
export interface Seating {
  readonly creator: Player;
  readonly earlier: Readonly<Record<Role, number>> | null;
}

/** The events of an accepted challenge. */
export function acceptance(
  row: ChallengeRow,
  { userId, seed, side, seek }: Joining,
  { creator, earlier }: Seating,
  at: Date,
): readonly NewEvent[] {
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

/** The event for an announced client seed that was given. */
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
