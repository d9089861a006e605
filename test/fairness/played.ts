import { plyHash, termsHash } from '../../src/fairness/chain.js';
import { clientSeedHash, commitment } from '../../src/fairness/commitment.js';
import { deal } from '../../src/fairness/deal.js';
import { dealRoot, prove, type SealedDeal } from '../../src/fairness/merkle.js';
import type { GameRecord, PlyRow } from '../../src/fairness/format-1/record.js';
import { identity } from '../../src/rules/deal.js';
import { parseOptions } from '../../src/rules/options.js';
import { begin, legalMoves, play, turnsUp, type Game } from '../../src/rules/play.js';
import type { AnyRuleset } from '../../src/rules/registry.js';
import type { Result } from '../../src/rules/result.js';

/** Plays games and writes their records of format 1, as the server did. */

export const SERVER_SEED = '62377bbc3fa9bb96df0fc0c0e1f419e396906d916e95bcd0d95692f2e6873c44';
const serverSeed = Buffer.from(SERVER_SEED, 'hex');

/** What a player does next: a move of the game as it stands, or null to stop. */
export type Choice = (game: Game<unknown>, ply: number) => string | null;

export const movesOf =
  (moves: readonly string[]): Choice =>
  (_, ply) =>
    moves[ply - 1] ?? null;

/** Any legal move, another at every ply, up to so many plies. */
export const wandering =
  (plies: number): Choice =>
  (game, ply) => {
    const moves = legalMoves(game);
    return ply > plies ? null : (moves[(ply * 7919) % moves.length] ?? null);
  };

export const value = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
};

const CLIENT_SEEDS = { first: 'lucky', second: '' };

/** Rows from `game` on, the first of them with this number. */
export function rowsFrom(
  start: Game<unknown>,
  choose: Choice,
  at: { readonly seq: number; readonly ply: number; readonly previousHash: string },
  gameId: string,
  sealed: SealedDeal | null,
): { readonly rows: readonly PlyRow[]; readonly game: Game<unknown> } {
  const rows: PlyRow[] = [];
  let { previousHash } = at;
  let game = start;
  for (let step = 0; ; step++) {
    const ply = at.ply + step;
    const move = choose(game, ply);
    if (move === null) return { rows, game };
    const square = value(turnsUp(game, move));
    const reveals = square === null || sealed === null ? null : identity(game.ruleset, sealed.deal, square);
    const next = value(play(game, move, reveals));
    const content = {
      seq: at.seq + step,
      ply,
      player: next.ply.player,
      move,
      reveals,
      san: next.ply.san,
      position: next.ply.fen,
      timeUsed: 60 * ply,
      automatic: ply % 5 === 0,
      playedAt: `2026-01-31T09:05:00.${String(ply % 1000).padStart(3, '0')}Z`,
    };
    const hash = plyHash(previousHash, { ...content, game: gameId });
    const proof = square === null || sealed === null ? {} : { proof: prove(sealed, square) };
    rows.push({ ...content, previousHash, hash, ...proof });
    previousHash = hash;
    game = next.game;
  }
}

/** The record of a game played out by `choose`; if nothing ended it, the player to move has resigned. */
export function played(
  ruleset: AnyRuleset,
  choose: Choice,
  given: Readonly<Record<string, boolean | number | string>> = {},
): GameRecord {
  const id = '0198c0de-0000-7000-8000-000000000001';
  const drawn = deal(ruleset, {
    format: 1,
    gameId: id,
    serverSeed,
    creatorSeed: CLIENT_SEEDS.first,
    accepterSeed: CLIENT_SEEDS.second,
    creatorFirst: true,
  });
  const options = value(parseOptions(ruleset, given));
  const setup = ruleset.chance === 'setup' ? drawn : null;
  const sealed =
    ruleset.chance === 'deal'
      ? { format: 1 as const, gameId: id, serverSeed, board: ruleset.board, deal: drawn! }
      : null;
  const terms = {
    options,
    ruleset: ruleset.id,
    timeControl: { kind: 'perMove', seconds: 86400 },
    commitment: commitment(serverSeed),
  };
  const first = termsHash({ ...terms, game: id, players: { first: 'u-1', second: 'u-2' } });
  const start = begin<unknown>(ruleset, options, setup);
  const { rows, game } = rowsFrom(start, choose, { seq: 1, ply: 1, previousHash: first }, id, sealed);
  return {
    id,
    ...terms,
    setup,
    deal: sealed?.deal ?? null,
    players: { first: { id: 'u-1', username: 'ann' }, second: { id: 'u-2', username: 'bob' } },
    creator: 'first',
    sidesDrawn: false,
    dealRoot: sealed === null ? null : dealRoot(sealed),
    clientSeeds: CLIENT_SEEDS,
    clientSeedHash: clientSeedHash(CLIENT_SEEDS.first),
    serverSeed: SERVER_SEED,
    termsHash: first,
    plies: rows,
    outcome: game.outcome ?? { winner: 'second', reason: 'resignation' },
    status: 'finished',
  };
}
