import type { Player } from '../../src/rules/ruleset.js';
import { TRANSPORTS } from '../support/api.js';
import type { ActName } from '../../src/arbiter/acts/registry.js';
import { PLAIN_ACTS } from '../support/operations/games.js';
import { DAY, Pair, perMove, startStopped, stored } from '../support/pair.js';
import { sample } from '../support/scale.js';
import type { TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { type Answer, must } from '../support/transport.js';

/** Acts that are sent for another version, repeated, or sent at once. */
// Both databases: the result of a repeated key depends on how each driver reports a constraint.

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  [server, time] = await startStopped();
});
afterAll(() => server.close());

const OPENING = ['e2e4', 'e7e5'];
const KNIGHTS = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const DAYS = perMove((3 * DAY) / 1000);
const THREEFOLD = { reason: 'threefoldRepetition' };

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  let pair: Pair;
  beforeEach(async () => {
    pair = new Pair(server, time, over(server.http));
    await pair.meet();
  });

  type Acts = readonly (readonly [Player, ActName])[];
  const agreed =
    (...acts: Acts) =>
    async (): Promise<Game> => {
      let game = await pair.after(OPENING, DAYS);
      for (const [player, act] of acts) game = await pair.do(player, act, game);
      return game;
    };
  const plain = (player: Player, act: ActName) => (game: Game, version?: number) =>
    pair.api.plain(pair[player], act, game.id, version);

  type Row = readonly [
    name: string,
    state: () => Promise<Game>,
    act: (game: Game, version?: number) => Promise<Answer<Game>>,
    /** The result when it is sent again. */
    again: string,
  ];
  const OF_A_PLAYER: readonly Row[] = (
    [
      ['resign', [], 'second', 'same'],
      ['offerDraw', [], 'first', 'same'],
      ['acceptDraw', [['first', 'offerDraw']], 'second', 'same'],
      ['declineDraw', [['first', 'offerDraw']], 'second', 'NO_OFFER'],
      ['offerTakeback', [], 'first', 'same'],
      ['acceptTakeback', [['first', 'offerTakeback']], 'second', 'NO_OFFER'],
      ['declineTakeback', [['first', 'offerTakeback']], 'second', 'NO_OFFER'],
      ['offerPause', [], 'first', 'same'],
      ['acceptPause', [['first', 'offerPause']], 'second', 'GAME_PAUSED'],
      ['declinePause', [['first', 'offerPause']], 'second', 'NO_OFFER'],
      ['requestTime', [], 'first', 'same'],
      ['acceptTimeRequest', [['first', 'requestTime']], 'second', 'NO_OFFER'],
      ['declineTimeRequest', [['first', 'requestTime']], 'second', 'NO_OFFER'],
      ['unpause', [['first', 'offerPause'], ['second', 'acceptPause']], 'first', 'same'], // prettier-ignore
    ] as const satisfies readonly (readonly [ActName, Acts, Player, string])[]
  ).map(([act, acts, player, again]) => [act, agreed(...acts), plain(player, act), again]);
  const ROWS: readonly Row[] = [
    ...OF_A_PLAYER,
    ['abort', () => pair.after(['e2e4']), plain('first', 'abort'), 'same'],
    ['claimAbandoned', () => left(), plain('second', 'claimAbandoned'), 'same'],
    [
      'makeMove',
      () => pair.after(OPENING),
      ({ id }, version) => pair.api.makeMove(pair.first, id, 3, 'g1f3', { version, offerDraw: true }),
      'same',
    ],
    [
      'claimDraw',
      () => pair.after([...KNIGHTS, ...KNIGHTS]),
      ({ id }, version) => pair.api.claimDraw(pair.first, id, { ...THREEFOLD, version }),
      'same',
    ],
    [
      'claimDraw with a move',
      () => pair.after([...KNIGHTS, ...KNIGHTS.slice(0, 3)]),
      ({ id }, version) => pair.api.claimDraw(pair.second, id, { ...THREEFOLD, move: 'f6g8', version }),
      'same',
    ],
    [
      'giveTime',
      () => pair.after(OPENING, DAYS),
      ({ id }, version) => pair.api.giveTime(pair.second, id, 3, version),
      'same',
    ],
  ];
  const left = async (): Promise<Game> => {
    const game = await pair.after(OPENING);
    await pair.later(30 * DAY);
    return game;
  };

  it('every act of the table is tested here', () => {
    const named = ROWS.map(([name]) => name);
    expect(PLAIN_ACTS.filter((act) => !named.includes(act))).toEqual([]);
  });

  it.each(ROWS)(
    '%s applies to the version that it names, and can safely be repeated',
    async (_name, state, act, again) => {
      const game = await state();
      for (const version of [game.version - 1, game.version + 1]) {
        await pair.refused(game, () => act(game, version), 'STALE_VERSION');
      }
      const done = must(await act(game, game.version));
      expect(done.version).toBe(game.version + 1);
      time.forward(1000);
      for (const version of [undefined, game.version]) {
        const before = await stored(server, game);
        const { data, refusal } = await act(game, version);
        expect(refusal?.code ?? (data.version === done.version ? 'same' : 'done')).toBe(again);
        expect(await stored(server, game)).toEqual(before);
      }
    },
  );

  it('refuses an invalid version', async () => {
    const game = await pair.after(OPENING);
    for (const version of ['7', 1.5, true]) {
      await pair.refused(game, () => pair.api.plain(pair.first, 'resign', game.id, version), 'BAD_INPUT');
    }
  });

  it.each([
    ['an answer', (game: Game) => pair.api.plain(pair.second, 'acceptDraw', game.id)],
    ['a refusal', (game: Game) => pair.api.plain(pair.second, 'declineDraw', game.id)],
    ['a resignation', (game: Game) => pair.api.plain(pair.first, 'resign', game.id)],
  ] as const)('a simultaneous move and %s get one order in the game', async (_name, act) => {
    const game = await pair.after([...OPENING, 'g1f3']);
    await pair.do('first', 'offerDraw', game);
    const answers = await Promise.all([
      pair.api.makeMove(pair.second, game.id, 4, 'b8c6'),
      act(game),
      pair.api.plain(pair.first, 'offerTakeback', game.id),
    ]);
    const codes = answers.map(({ refusal }) => refusal?.code ?? 'done');
    expect(['done', 'GAME_OVER', 'NO_OFFER', 'NOTHING_TO_TAKE_BACK']).toEqual(expect.arrayContaining(codes));
    const { row, plies, events } = await stored(server, game);
    const steps = [...plies.map(({ seq }) => seq), ...events.map(({ seq }) => seq)];
    expect([...new Set(steps)].sort((a, b) => a - b)).toEqual([0, ...range(row.version)]);
    expect(row.version - game.version - 1).toBe(codes.filter((code) => code === 'done').length);
    await pair.record(game);
  });
});

const range = (last: number): readonly number[] => Array.from({ length: last }, (_, i) => i + 1);
