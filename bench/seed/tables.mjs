import { copyInto, line } from './copy.mjs';

/** The tables to fill, in the order of their references, with the columns to write. */

const TABLES = {
  users: 'id username displayName passwordHash createdAt',
  games:
    'id ruleset options setup timeControl rated firstId secondId status version plyCount turn position ' +
    'anchorPosition anchorPly moves termsHash headHash commitment dealRoot firstClientSeed secondClientSeed ' +
    'clientSeedHash accepterSeedHash creator sidesBy turnStartedAt deadlineAt clock offers takebacks wakeAt plans firstPlan ' +
    'secondPlan winner reason unrated createdAt lastActivityAt endedAt firstPlies secondPlies firstSeconds secondSeconds',
  plies:
    'gameId seq ply player move reveals captured san position timeUsed clock automatic playedAt previousHash ' +
    'hash proof',
  game_events: 'gameId seq type player data at previousHash hash',
  deal_secrets: 'gameId sealed createdAt',
  challenges:
    'id kind creatorId opponentId status ruleset options timeControl rated side commitment creatorClientSeed ' +
    'creatorClientSeedHash creatorSeedAt createHash headHash createdAt expiresAt answeredAt minRating maxRating termsKey gameId declineReason',
  client_seeds: 'hash challengeId createdAt',
  messages: 'id gameId player text createdAt',
  notifications: 'userId gameId type data createdAt readAt',
  rating_changes:
    'gameId player userId ruleset number ratingBefore deviationBefore volatilityBefore rating deviation ' +
    'volatility at',
  ratings: 'userId ruleset rating deviation volatility games wins draws losses ratedAt listedUntil',
};

const NAMES = Object.fromEntries(Object.entries(TABLES).map(([table, names]) => [table, names.split(' ')]));

const columnOf = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const TABLE_NAMES = Object.keys(TABLES);

/** Collects rows as lines of COPY until they are written. */
export function batch() {
  const lines = new Map(TABLE_NAMES.map((table) => [table, []]));
  return {
    add: (table, row) => void lines.get(table).push(line(row, NAMES[table])),
    count: (table) => lines.get(table).length,
    /** Writes all rows with one COPY per table. */
    write: async (client) => {
      for (const [table, rows] of lines) {
        if (rows.length > 0) await copyInto(client, table, NAMES[table].map(columnOf), rows.join(''));
      }
    },
  };
}
