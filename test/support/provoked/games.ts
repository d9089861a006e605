import { parseDeal } from '../../../src/rules/deal.js';
import { rulesetById } from '../../../src/rules/registry.js';
import { unwrap } from '../../../src/engine/refusals.js';
import { announcing } from '../client-seeds.js';
import { newSeed } from '../chosen-deals.js';
import { perMove } from '../pair.js';
import { register } from '../people.js';
import { begin } from '../play.js';
import { must, type Body } from '../transport.js';
import type { ActName } from '../../../src/arbiter/acts/registry.js';
import type { Player } from '../../../src/rules/ruleset.js';
import { row, thrownBy, type Rows, type World } from './row.js';

/** Acts in games, positions, and what is read of games. */

const OPENING = ['e2e4', 'e7e5'];
const DAY_SECONDS = 86_400;
const CLOCK = perMove(3 * DAY_SECONDS);
const NO_HASH = '0'.repeat(64);
const BANQI = { ruleset: 'banqi-hongkong' };

/** An act by a player behind these moves. */
const act =
  (player: Player, name: ActName, moves: readonly string[] = OPENING, terms: Body = {}) =>
  async ({ api, pair }: World) =>
    api.plain(pair[player], name, (await pair.after(moves, terms)).id);

const move =
  (player: Player, ply: number, text: string, more: Body = {}) =>
  async ({ api, pair }: World) =>
    api.makeMove(pair[player], (await pair.after(OPENING)).id, ply, text, more);

/** An act by the first player after others, each of which must succeed. */
const after =
  (before: readonly (readonly [Player, ActName])[], player: Player, name: ActName, terms: Body = {}) =>
  async ({ api, pair }: World) => {
    const game = await pair.after(OPENING, terms);
    for (const [by, done] of before) await pair.do(by, done, game);
    return api.plain(pair[player], name, game.id);
  };

const analysed =
  (input: Body) =>
  ({ api }: World) =>
    api.analyse(null, { ruleset: 'chess', ...input });

const conditional =
  (tree: unknown, player: Player = 'second') =>
  async ({ api, pair }: World) =>
    api.setConditionalMoves(pair[player], (await pair.after(OPENING)).id, tree);

const PAUSED: readonly (readonly [Player, ActName])[] = [
  ['first', 'offerPause'],
  ['second', 'acceptPause'],
];

export const GAMES: Rows = {
  BAD_INPUT: [row(move('first', 0, 'e2e4'), '0', { field: 'ply' })],
  INVALID_POSITION: [
    row(analysed({ position: 'rnbqkbnr' }), 'it must have 8 rows; got 1', { field: 'position.board' }),
    row(analysed({ faceDown: 'K' }), 'Chess has no face-down pieces', { field: 'position.faceDown' }),
    row(analysed({ ruleset: 'banqi-taiwan', faceDown: 'K' }), 'faceDown requires a position', {
      field: 'position.faceDown',
    }),
  ],
  INVALID_DEAL: [row(() => thrownBy(() => unwrap(parseDeal(rulesetById('banqi-hongkong')!, 'x'))), /1\b/, { field: 'deal' })], // prettier-ignore
  INVALID_REVEAL: [
    row(analysed({ moves: [{ move: 'e2e4', reveals: 'K' }] }), 'Move 1: This move turns up no piece', {
      field: 'moves.0.reveals',
    }),
  ],
  INVALID_CONDITIONAL_MOVES: [
    row(conditional(['b8c6', 'b8a6'].map((reply) => ({ when: 'g1f3', reply }))), 'the same move as tree.0', {
      field: 'tree.1',
    }),
  ],
  INVALID_GAME_TEXT: [
    row(({ api, ann }) => api.importGames(ann, { text: '1. e4 Ke3', ruleset: 'chess' }), 'Line 1, column 7', {
      field: 'text',
    }),
  ],
  NOT_YOUR_GAME: [
    row(async ({ api, pair, server }) => {
      const cid = await register(server.http, 'cid');
      return api.plain(cid, 'resign', (await pair.after([])).id);
    }, /You are not a player|Only its two players/),
    row(async ({ api, pair, server }) => {
      const cid = await register(server.http, 'cid');
      return api.sendMessage(cid, (await pair.after([])).id, 'Hello');
    }, 'You are not a player'),
  ],
  STALE_PLY: [row(move('first', 5, 'g1f3'), 'The next ply is 3, but your request was for ply 5')],
  STALE_VERSION: [
    row(move('first', 3, 'g1f3', { version: 2 }), 'it is at version 3, and your request was for version 2'),
    row(
      move('first', 3, 'g1f3', { seen: { version: 2, hash: NO_HASH } }),
      'it is at version 3, and your request was for version 2',
      { field: 'seen.version' },
    ),
    row(
      move('first', 3, 'g1f3', { seen: { version: 3, hash: NO_HASH } }),
      'by another course than the one that you saw',
      { field: 'seen.hash' },
    ),
  ],
  NOT_YOUR_TURN: [row(move('second', 3, 'b8c6'), 'opponent’s turn')],
  GAME_OVER: [row(after([['first', 'resign']], 'second', 'offerDraw'), 'The game is over.')],
  GAME_PENDING: [
    row(async ({ api, ann, ben }) => {
      const game = await begin(api, ann, ben, { ...BANQI, ...announcing(newSeed()) });
      return api.makeMove(ann, game.id, 1, 'a1');
    }, 'client seed'),
  ],
  TOO_LATE_TO_ABORT: [row(act('first', 'abort'), 'this one is at ply 2')],
  DEADLINE_PASSED: [
    row(async ({ api, pair, time }) => {
      const game = await pair.after(OPENING, perMove(60));
      time.forward(61_000);
      return api.makeMove(pair.first, game.id, 3, 'g1f3');
    }, 'The deadline for this turn has passed'),
  ],
  GAME_RUNNING: [
    row(
      async ({ api, pair }) => api.offerRematch(pair.first, (await pair.after([])).id),
      'The game is still running',
    ),
  ],
  GAME_PAUSED: [row(after(PAUSED, 'first', 'offerPause', CLOCK), 'The game is paused')],
  GAME_NOT_PAUSED: [row(act('first', 'unpause', OPENING, CLOCK), 'not paused')],
  YOUR_TURN: [row(async ({ api, pair }) => api.giveTime(pair.first, (await pair.after(OPENING, CLOCK)).id, 3), 'It is your turn')], // prettier-ignore
  NO_OFFER: [row(act('second', 'acceptDraw'), 'draw')],
  TOO_EARLY_TO_OFFER: [row(act('first', 'offerDraw', []), '2')],
  OFFER_TOO_SOON: [
    row(after([['first', 'offerDraw'], ['second', 'declineDraw']], 'first', 'offerDraw'), '10'), // prettier-ignore
  ],
  RATED_GAME: [row(act('second', 'offerTakeback', OPENING, { rated: true, ...CLOCK }), 'this game is rated')],
  NOTHING_TO_TAKE_BACK: [row(act('second', 'offerTakeback', []), 'nothing to take back')],
  PIECE_TURNED_UP: [
    row(async ({ api, pair }) => {
      const game = await pair.after(['a1'], BANQI);
      return api.plain(pair.first, 'offerTakeback', game.id);
    }, 'turning up'),
  ],
  NO_CLOCK: [
    row(
      async ({ api, pair }) => api.giveTime(pair.second, (await pair.after(OPENING)).id, 3),
      'no time control',
    ),
  ],
  TIME_CEILING: [
    row(async ({ api, pair }) => {
      const game = await pair.after(OPENING, perMove(60 * DAY_SECONDS));
      return api.giveTime(pair.second, game.id, 3);
    }, /time/),
  ],
  NOT_ABANDONED: [
    row(act('second', 'claimAbandoned'), '30'),
    row(act('second', 'claimAbandoned', OPENING, CLOCK), 'time control'),
  ],
  REMATCH_DECLINED: [
    row(async ({ api, pair }) => {
      const game = await pair.after(OPENING);
      await pair.do('first', 'resign', game);
      const { id } = must(await api.offerRematch(pair.first, game.id));
      must(await api.declineChallenge(pair.second, id));
      return api.offerRematch(pair.first, game.id);
    }, 'declined'),
  ],
  ILLEGAL_MOVE: [
    row(move('first', 3, 'e4e6'), /e4e6|e6/, { field: 'move' }),
    row(analysed({ moves: [{ move: 'e2e5' }] }), /e2e5|e5/, { field: 'moves.0.move' }),
    row(conditional([{ when: 'g1f3', reply: 'b8b5' }]), /b8b5|b5/, { field: 'tree.0.reply' }),
  ],
  AMBIGUOUS_MOVE: [
    row(async ({ api, pair }) => {
      const game = await pair.after(['d2d4', 'd7d5', 'g1f3', 'a7a6']);
      return api.makeMove(pair.first, game.id, 5, 'Nd2', { format: 'san' });
    }, 'b1d2, f3d2', { field: 'move' }), // prettier-ignore
  ],
  CLAIM_NOT_MET: [
    row(async ({ api, pair }) => {
      const game = await pair.after(OPENING);
      return api.claimDraw(pair.first, game.id, { reason: 'threefoldRepetition' });
    }, 'once'),
  ],
};
