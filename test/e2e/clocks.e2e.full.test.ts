import { Referee } from '../../src/features/games/referee.js';
import type { Player } from '../../src/rules/ruleset.js';
import { TRANSPORTS } from '../support/api.js';
import { unwinnableGame } from '../support/unwinnable-game.js';
import { DAY, explained, Pair, perMove, startStopped, stored } from '../support/pair.js';
import { sample } from '../support/scale.js';
import type { TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { type Body, must } from '../support/transport.js';

/** Time controls, giving time, reminders, timeouts, and abandoned games. */

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  [server, time] = await startStopped();
});
afterAll(() => server.close());

const OPENING = ['e2e4', 'e7e5'];
const DAY_SECONDS = DAY / 1000;
const NONE = { remaining: null, running: false, onVacationUntil: null };
const bankOf = (initial: number, increment: number, cap: number): Body => ({
  timeControl: { type: 'bank', initial, increment, cap },
});

describe.each(sample(TRANSPORTS, 'REST'))('over %s', (_, over) => {
  let pair: Pair;
  beforeEach(async () => {
    pair = new Pair(server, time, over(server.http));
    await pair.meet();
  });

  const left = ({ clocks }: Game) => [clocks.first.remaining, clocks.second.remaining];
  const give = (player: Player, { id }: Game, ply: number) => pair.api.giveTime(pair[player], id, ply);

  it('every move notifies the opponent, and answers the mover’s own notification', async () => {
    const game = await pair.after([], perMove(DAY_SECONDS));
    expect(await pair.news('first')).toEqual({
      yourTurn: { ply: 1, deadlineAt: game.deadlineAt },
      gameStarted: { awaitingSeed: false },
    });
    expect(await pair.news('second')).toEqual({});
    await pair.readNews();
    time.forward(5000);
    const moved = await pair.move('first', game, 'e2e4');
    expect(moved.lastActivityAt).toBe(pair.in(0));
    expect(await pair.news('first')).toEqual({});
    expect(await pair.news('second')).toEqual({ yourTurn: { ply: 2, deadlineAt: pair.in(DAY) } });
    const { edges } = (await pair.api.notifications(pair.second)).data;
    const news = edges.find(({ node }) => node.type === 'yourTurn')!.node;
    expect(news).toMatchObject({ id: `${game.id}:yourTurn`, createdAt: pair.in(0), readAt: null });
    // Of turns, only that they were read is stored.
    const marks = (await stored(server, game)).notices.filter(({ type }) => type === 'yourTurn');
    expect(marks).toMatchObject([{ data: { ply: 1 } }]);
    await pair.move('second', moved, 'e7e5');
    expect(await pair.news('second')).toEqual({});
  });

  describe('with a time per move', () => {
    it('carries nothing over, and shows both players their time', async () => {
      const game = await pair.after([], perMove(1000));
      expect([explained(game), left(game)]).toEqual([[['turnStarted', 0], ['allowance', 1000]], [1000, 1000]]); // prettier-ignore
      time.forward(300_400);
      const shown = await pair.read(game);
      expect(shown.clocks).toEqual({
        first: { remaining: 700, running: true, onVacationUntil: null },
        second: { remaining: 1000, running: false, onVacationUntil: null },
      });
      const moved = await pair.move('first', game, 'e2e4');
      expect([explained(moved), left(moved)]).toEqual([[['turnStarted', 0], ['allowance', 1000]], [1000, 1000]]); // prettier-ignore
      expect(moved.deadline.explain[0]).toEqual({ kind: 'turnStarted', from: pair.in(0), until: null, seconds: 0 }); // prettier-ignore
      expect(moved.deadline.abandonableAt).toBeNull();
      const [ply] = must(await pair.api.moves(null, game.id)).edges;
      expect(ply!.node).toMatchObject({ timeUsed: 300, clock: null });
    });
  });

  describe('with a bank', () => {
    it('subtracts the time used and adds the increment, up to the cap', async () => {
      let game = await pair.after([], bankOf(1000, 50, 1020));
      expect([explained(game), left(game)]).toEqual([[['turnStarted', 0], ['allowance', 1000]], [1000, 1000]]); // prettier-ignore
      const play = async (move: string, milliseconds: number) => {
        time.forward(milliseconds);
        game = await pair.goOn(game, [move]);
        expect(explained(game).at(-1)).toEqual(['allowance', game.clocks[game.turn!].remaining]);
        return left(game);
      };
      expect(await play('e2e4', 100_900)).toEqual([950, 1000]);
      expect(await play('e7e5', 10_000)).toEqual([950, 1020]);
      expect(await play('g1f3', 200_000)).toEqual([800, 1020]);
      expect(await play('b8c6', 0)).toEqual([800, 1020]);
      time.forward(100_000);
      expect(left(await pair.read(game))).toEqual([700, 1020]);
      const plies = must(await pair.api.moves(null, game.id)).edges.map(({ node }) => node);
      expect(plies.map(({ timeUsed, clock }) => [timeUsed, clock])).toEqual([[100, 950], [10, 1020], [200, 800], [0, 1020]]); // prettier-ignore
      await pair.record(game);
    });

    it('ends the turn when the bank is empty, as of that time, even if it is read later', async () => {
      let game = await pair.after([], bankOf(1000, 50, 1020));
      time.forward(900_000);
      game = await pair.goOn(game, ['e2e4', 'e7e5']);
      expect(game.deadlineAt).toBe(pair.in(150_000));
      time.forward(150_000);
      await server.app.get(Referee).sweep();
      expect((await pair.read(game)).status).toBe('active');
      time.forward(1);
      expect((await pair.api.makeMove(pair.first, game.id, 3, 'g1f3')).refusal!.code).toBe('DEADLINE_PASSED');
      const ended = await pair.read(game);
      const outcome = { winner: 'second', reason: 'timeout' };
      expect(ended).toMatchObject({ status: 'finished', outcome, endedAt: game.deadlineAt, turn: null });
      expect(ended.deadline).toEqual({ at: null, explain: [], abandonableAt: null });
      expect(await pair.log(game)).toEqual([
        ['reminder', 'first', {}], // in each of the player's two turns
        ['reminder', 'first', {}],
        ['flag', 'first', {}],
        ['end', null, outcome],
      ]);
      for (const player of ['first', 'second'] as const) {
        const running = must(await pair.api.myGames(pair[player], { list: 'running' })).games;
        expect([running, (await pair.news(player))['gameOver']]).toEqual([[], outcome]);
      }
      await pair.record(game);
    });
  });

  describe('giving time', () => {
    it('adds one turn’s time, once per turn', async () => {
      const game = await pair.after(OPENING, perMove(1000));
      await pair.readNews();
      for (const ply of [2, 4]) await pair.refused(game, () => give('second', game, ply), 'STALE_PLY');
      await pair.refused(game, () => give('first', game, 3), 'YOUR_TURN');
      time.forward(100_000);
      const given = must(await give('second', game, 3));
      const deadlineAt = pair.in(1_900_000);
      expect(explained(given)).toEqual([['turnStarted', 0], ['allowance', 1000], ['given', 1000]]); // prettier-ignore
      expect([given.deadlineAt, left(given), given.version]).toEqual([deadlineAt, [1900, 1000], game.version + 1]); // prettier-ignore
      expect(await pair.log(game)).toEqual([['giveTime', 'second', { seconds: 1000, deadlineAt }]]);
      expect(await pair.news('first')).toEqual({ timeGiven: { seconds: 1000, deadlineAt } });
      await pair.refused(given, async () => {
        const again = await give('second', game, 3);
        expect(again.data).toEqual(given);
        return { ...again, refusal: { code: 'same' } };
      }, 'same'); // prettier-ignore
      const moved = await pair.move('first', game, 'g1f3');
      expect(await pair.news('first')).toEqual({});
      expect(explained(moved)).toEqual([['turnStarted', 0], ['allowance', 1000]]); // prettier-ignore
      await pair.refused(moved, () => give('second', moved, 3), 'STALE_PLY');
      expect(left(must(await give('first', moved, 4)))).toEqual([1000, 2000]);
    });

    it.each([
      [30, 30],
      [40, 20],
      [59, 1],
    ])('with %d days per move adds %d: no turn exceeds 60', async (days, added) => {
      const game = await pair.after(OPENING, perMove(days * DAY_SECONDS));
      const given = must(await give('second', game, 3));
      expect(explained(given).at(-1)).toEqual(['given', added * DAY_SECONDS]);
      expect(given.deadlineAt).toBe(pair.in((days + added) * DAY));
    });

    it('is refused when a turn has 60 days, and when there is no clock', async () => {
      const long = await pair.after(OPENING, perMove(60 * DAY_SECONDS));
      await pair.refused(long, () => give('second', long, 3), 'TIME_CEILING');
      const untimed = await pair.after(OPENING);
      await pair.refused(untimed, () => give('second', untimed, 3), 'NO_CLOCK');
      const full = await pair.after(OPENING, bankOf(1000, 0, 1000));
      await pair.refused(full, () => give('second', full, 3), 'TIME_CEILING');
    });

    it.each([
      [0, 20],
      [10, 30],
      [30, 50],
      [500, 50],
    ])('to a bank, %d seconds into the turn, adds an increment up to the cap: %d', async (used, added) => {
      const game = await pair.after(OPENING.slice(0, 1), bankOf(1000, 50, 1020));
      time.forward(used * 1000);
      const given = must(await give('first', game, 2));
      expect(explained(given)).toEqual([['turnStarted', 0], ['allowance', 1000], ['given', added]]); // prettier-ignore
      expect(given.clocks.second.remaining).toBe(1000 + added - used);
      const moved = await pair.move('second', given, 'e7e5');
      expect(moved.clocks.second.remaining).toBe(Math.min(1020, 1000 + added - used + 50));
      await pair.record(game);
    });
  });

  describe('a reminder', () => {
    const reminders = async (game: Game) =>
      must(await pair.api.events(null, game.id)).filter(({ type }) => type === 'reminder');

    it('is sent once, when 80 % of the turn is used', async () => {
      const game = await pair.after(OPENING, perMove(1000));
      await pair.readNews();
      time.forward(799_999);
      expect([await reminders(game), await pair.news('first')]).toEqual([[], {}]);
      time.forward(1);
      await server.app.get(Referee).sweep();
      const shown = await pair.read(game);
      const { clocks, fairness } = shown;
      const { headHash } = fairness;
      expect(shown).toEqual({ ...game, version: game.version + 1, clocks, fairness, viewer: null });
      expect(headHash).not.toBe(game.fairness.headHash);
      const { deadlineAt } = game;
      const chained = { previousHash: game.fairness.headHash, hash: headHash };
      const once = [{ seq: shown.version, type: 'reminder', player: 'first', data: {}, at: pair.in(0), ...chained }]; // prettier-ignore
      for (const more of [0, 1, 100_000]) {
        time.forward(more);
        await server.app.get(Referee).sweep();
        expect(await reminders(game)).toEqual(once);
      }
      expect([await pair.news('first'), await pair.news('second')]).toEqual([
        { reminder: { deadlineAt } },
        {},
      ]);
      await pair.move('first', game, 'g1f3');
      expect(await pair.news('first')).toEqual({});
      time.forward(800_000);
      await server.app.get(Referee).sweep();
      expect(await reminders(game)).toHaveLength(2);
      await server.app.get(Referee).sweep();
      expect(await pair.news('second')).toHaveProperty('reminder');
    });

    it('is sent by the sweep, unless the game has already ended', async () => {
      const game = await pair.after(OPENING, perMove(1000));
      const other = await pair.after(OPENING, perMove(500));
      time.forward(850_000);
      await server.app.get(Referee).sweep();
      await server.app.get(Referee).sweep();
      expect((await stored(server, game)).events.map(({ type }) => type)).toEqual([
        'create',
        'accept',
        'start',
        'reminder',
      ]);
      expect((await stored(server, other)).events.map(({ type }) => type)).toEqual([
        'create',
        'accept',
        'start',
        'end',
        'flag',
      ]);
      expect(await pair.news('first')).toHaveProperty('reminder');
    });

    it('is sent again when time was given after it', async () => {
      const game = await pair.after(OPENING, perMove(1000));
      time.forward(800_000);
      await pair.read(game);
      must(await give('second', game, 3));
      time.forward(799_999);
      expect(await reminders(game)).toHaveLength(1);
      time.forward(1);
      await server.app.get(Referee).sweep();
      expect(await reminders(game)).toHaveLength(2);
    });
  });

  describe('without a time control', () => {
    const abandon = (player: Player, { id }: Game) => pair.api.plain(pair[player], 'claimAbandoned', id);

    it('has no deadline and no remaining time', async () => {
      const game = await pair.after(OPENING);
      expect([game.deadlineAt, game.clocks]).toEqual([null, { first: NONE, second: NONE }]);
      expect(game.deadline).toEqual({ at: null, explain: [], abandonableAt: pair.in(30 * DAY) });
      await pair.later(29 * DAY);
      const moved = await pair.move('first', game, 'g1f3');
      expect(moved.deadline.abandonableAt).toBe(pair.in(30 * DAY));
      expect(must(await pair.api.moves(null, game.id)).edges[2]!.node.timeUsed).toBe(29 * DAY_SECONDS);
    });

    it('a game without a move for 30 days is won by the waiting player', async () => {
      const game = await pair.after(OPENING);
      await pair.readNews();
      await pair.later(30 * DAY - 1);
      await pair.refused(game, () => abandon('second', game), 'NOT_ABANDONED');
      time.forward(1);
      await pair.refused(game, () => abandon('first', game), 'YOUR_TURN');
      const won = must(await abandon('second', game));
      const outcome = { winner: 'second', reason: 'timeout' };
      expect(won).toMatchObject({ status: 'finished', turn: null, outcome, endedAt: pair.in(0) });
      expect(won.deadline.abandonableAt).toBeNull();
      expect(await pair.log(game)).toEqual([
        ['claimAbandoned', 'second', {}],
        ['end', null, outcome],
      ]);
      expect([await pair.news('first'), await pair.news('second')]).toEqual([{ gameOver: outcome }, {}]);
      await pair.record(game);
    });

    it('what each player may do changes with the time alone', async () => {
      const game = await pair.after(OPENING);
      const listed = async (player: Player) => {
        // The second time they are remembered.
        const read = async () => must(await pair.api.game(pair[player], game.id)).viewer!.acts.map(({ act }) => act); // prettier-ignore
        const acts = await read();
        expect(await read()).toEqual(acts);
        return acts;
      };
      const [first, second] = [await listed('first'), await listed('second')];
      await pair.later(30 * DAY - 1);
      expect([await listed('first'), await listed('second')]).toEqual([first, second]);
      time.forward(1);
      expect(await listed('first')).toEqual(first);
      expect(new Set(await listed('second'))).toEqual(new Set([...second, 'claimAbandoned']));
    });

    it.each([
      [0, 'first'],
      [0, 'second'],
      [1, 'first'],
      [1, 'second'],
    ] as const)('after ply %d it is aborted in the name of the %s player', async (count, player) => {
      const game = await pair.after(OPENING.slice(0, count));
      await pair.later(30 * DAY);
      expect(game.deadline.abandonableAt).toBe(pair.in(0));
      const off = must(await abandon(player, game));
      expect(off).toMatchObject({ status: 'aborted', outcome: { winner: null, reason: 'aborted' } });
      expect((await pair.log(game))[0]).toEqual(['claimAbandoned', player, {}]);
      await pair.record(game);
    });

    it('is drawn when the waiting player could never win', async () => {
      const { moves, loser } = unwinnableGame();
      const game = await pair.after(moves);
      expect(game.turn).toBe(loser);
      await pair.later(30 * DAY);
      const drawn = must(await abandon(loser === 'first' ? 'second' : 'first', game));
      expect(drawn.outcome).toEqual({ winner: null, reason: 'timeout' });
      await pair.record(game);
    });

    it('does not abandon a game with a clock', async () => {
      const game = await pair.after(OPENING, perMove(60 * DAY_SECONDS));
      await pair.later(40 * DAY);
      await pair.refused(game, () => abandon('second', game), 'NOT_ABANDONED');
    });
  });
});
