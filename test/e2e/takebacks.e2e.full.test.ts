import type { Player } from '../../src/rules/ruleset.js';
import { TRANSPORTS } from '../support/api.js';
import { DAY, HOUR, Pair, perMove, startStopped } from '../support/pair.js';
import { chainOf, pliesOf } from '../support/record.js';
import { sample } from '../support/scale.js';
import type { TestServer } from '../support/server.js';
import { type Game, type Plies, type Ply, NOTHING_OFFERED } from '../support/api-types.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { type Body, must } from '../support/transport.js';

/** Takebacks by agreement: the game after them, what is kept of the plies, and where they are refused. */

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  [server, time] = await startStopped();
});
afterAll(() => server.close());

const DAYS = perMove((3 * DAY) / 1000);
const LINE = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6'];
const KNIGHTS = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const other = (player: Player): Player => (player === 'first' ? 'second' : 'first');

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let pair: Pair;
  beforeEach(async () => {
    pair = new Pair(server, time, over(server.http));
    await pair.meet();
  });

  /** The game after a takeback that this player requested. */
  async function takenBack(player: Player, game: Game): Promise<Game> {
    await pair.do(player, 'offerTakeback', game);
    return pair.do(other(player), 'acceptTakeback', game);
  }

  const plies = async ({ id }: Game, page: Body = { takenBack: true }): Promise<readonly Ply[]> =>
    must(await pair.api.moves(null, id, page)).edges.map(({ node }) => node);

  /** What a takeback must restore for the side to move. */
  const board = async (game: Game) => ({
    position: game.position,
    plyCount: game.plyCount,
    turn: game.turn,
    board: game.board,
    legal: must(await pair.api.legalMoves(pair[game.turn!], game.id)),
    none: must(await pair.api.legalMoves(pair[other(game.turn!)], game.id)),
    claimable: must(await pair.api.claimable(null, game.id)),
    plies: await plies(game, {}),
  });

  it.each([
    [3, 'first', 2],
    [4, 'first', 2],
    [4, 'second', 3],
    [5, 'second', 3],
    [1, 'first', 0],
    [2, 'first', 0],
  ] as const)(
    'after ply %d the %s player requests one, and play continues after ply %d',
    async (count, player, ply) => {
      let game = await pair.after(LINE.slice(0, ply), DAYS);
      const before = await board(game);
      game = await pair.goOn(game, LINE.slice(ply, count));
      const waits = game.turn!;
      await pair.readNews();
      time.forward(5 * HOUR);
      const asked = await pair.do(player, 'offerTakeback', game);
      expect(asked).toMatchObject({ plyCount: count, offers: { takeback: { by: player, at: pair.in(0), ply } } }); // prettier-ignore
      expect(asked.deadlineAt).toBe(game.deadlineAt);
      expect(await pair.news(other(player))).toEqual({ takebackOffer: { ply } });
      time.forward(HOUR);
      const back = await pair.do(other(player), 'acceptTakeback', game);
      expect(await board(back)).toEqual(before);
      expect(back).toMatchObject({
        status: 'active',
        version: game.version + 2,
        takebacks: [{ seq: game.version + 2, ply }],
        offers: { takeback: null },
        turnStartedAt: pair.in(0),
        deadlineAt: pair.in(3 * DAY),
      });
      expect(back.fairness.headHash).toBe((await pair.record(game)).rows.at(-1)!.hash);
      expect(back.clocks[back.turn!]).toMatchObject({ remaining: (3 * DAY) / 1000, running: true });
      expect(await pair.log(game)).toEqual([
        ['offerTakeback', player, { ply }],
        ['acceptTakeback', other(player), { ply, deadlineAt: pair.in(3 * DAY) }],
      ]);
      const yourTurn = { ply: ply + 1, deadlineAt: back.deadlineAt };
      const answered = { offerAnswered: { offer: 'takeback', accepted: true } };
      const news = { [player]: answered, [other(player)]: {} } as Record<Player, object>;
      news[back.turn!] = { ...news[back.turn!], yourTurn };
      expect([await pair.news('first'), await pair.news('second')]).toEqual([news.first, news.second]);
      expect(waits).toBe(game.turn);
      expect((await plies(game)).map(({ takenBack: gone }) => gone)).toEqual(
        LINE.slice(0, count).map((_move, index) => index >= ply),
      );
      expect(pliesOf(await pair.record(game))).toHaveLength(count);
    },
  );

  it('several are possible, and the game is played to its end with every ply kept', async () => {
    let game = await pair.after(['e2e4', 'e7e5'], DAYS);
    game = await takenBack('first', game);
    expect([game.plyCount, game.turn]).toEqual([0, 'first']);
    game = await pair.goOn(game, ['f2f3', 'e7e5', 'g2g4']);
    game = await takenBack('first', game);
    expect(game.plyCount).toBe(2);
    game = await pair.goOn(game, ['g2g4']);
    await pair.record(game);
    game = await pair.goOn(game, ['d8h4']);
    expect(game).toMatchObject({ plyCount: 4, outcome: { winner: 'second', reason: 'checkmate' } });
    const all = await plies(game);
    expect(all.map(({ ply, move, takenBack: gone }) => `${ply} ${move}${gone ? ' back' : ''}`)).toEqual([
      '1 e2e4 back',
      '2 e7e5 back',
      '1 f2f3',
      '2 e7e5',
      '3 g2g4 back',
      '3 g2g4',
      '4 d8h4',
    ]);
    const record = await pair.record(game);
    const takeback = ['offerTakeback', 'acceptTakeback'];
    expect(chainOf(record).map(([, type]) => type)).toEqual([
      ...['create', 'accept', 'start', 'ply', 'ply', ...takeback],
      ...['ply', 'ply', 'ply', ...takeback, 'ply', 'ply', 'end'],
    ]);
    expect(pliesOf(record).map(({ hash }) => hash)).toEqual(all.map(({ hash }) => hash));
    expect(game.fairness.headHash).toBe(record.rows.at(-1)!.hash);
    expect(await plies(game, {})).toEqual(all.filter(({ takenBack: gone }) => !gone));
    const counts = [{}, { takenBack: true }, { takenBack: false }].map((page) =>
      pair.api.moves(null, game.id, page).then((answer) => must(answer).totalCount),
    );
    expect(await Promise.all(counts)).toEqual([4, 7, 4]);
    expect(pliesOf(record)).toHaveLength(7);
  });

  it.each([false, true])(
    'pages of the plies are complete and in order (including those taken back: %s)',
    async (gone) => {
      let game = await takenBack('first', await pair.after(LINE.slice(0, 4)));
      game = await takenBack('second', await pair.goOn(game, LINE.slice(2, 4)));
      game = await pair.goOn(game, LINE.slice(3));
      const whole = await plies(game, { takenBack: gone });
      expect(whole.map(({ move }) => move)).toEqual(
        gone ? [...LINE.slice(0, 4), ...LINE.slice(2, 4), ...LINE.slice(3)] : LINE,
      );
      const seen: Ply[] = [];
      for (let after: string | null = null; ;) {
        const page: Body = { first: 2, takenBack: gone, ...(after === null ? {} : { after }) };
        const { edges, pageInfo }: Plies = must(await pair.api.moves(null, game.id, page));
        seen.push(...edges.map(({ node }) => node));
        if (!pageInfo.hasNextPage) break;
        after = pageInfo.endCursor;
      }
      expect(seen).toEqual(whole);
      expect(await plies(game, { last: 3, takenBack: gone })).toEqual(whole.slice(-3));
    },
  );

  it('a move for a ply that was taken back is new, and a late repetition of the old one is stale', async () => {
    const game = await takenBack('first', await pair.after(LINE.slice(0, 3)));
    const moved = await pair.move('first', game, 'g1f3');
    expect(moved).toMatchObject({ plyCount: 3, version: game.version + 1 });
    expect(await pair.move('first', game, 'g1f3')).toEqual(moved);
    await pair.refused(moved, () => pair.api.makeMove(pair.first, game.id, 3, 'b1c3'), 'STALE_PLY');
  });

  it('is declined explicitly or by a move of the opponent; an own move withdraws it', async () => {
    const game = await pair.after(LINE.slice(0, 3));
    await pair.do('first', 'offerTakeback', game);
    await pair.readNews();
    const declined = await pair.do('second', 'declineTakeback', game);
    expect([declined.offers.takeback, declined.position]).toEqual([null, game.position]);
    const no = { offerAnswered: { offer: 'takeback', accepted: false } };
    expect(await pair.news('first')).toEqual(no);

    await pair.do('first', 'offerTakeback', game);
    await pair.readNews();
    const moved = await pair.move('second', declined, 'b8c6');
    expect(moved.offers.takeback).toBeNull();
    expect(await pair.news('first')).toMatchObject(no);
    expect((await pair.log(game)).at(-1)).toEqual(['declineTakeback', 'second', { byMove: true }]);
    await pair.refused(moved, () => pair.api.plain(pair.second, 'acceptTakeback', game.id), 'NO_OFFER');

    await pair.do('first', 'offerTakeback', game);
    await pair.move('first', moved, 'f1b5');
    expect(Object.keys(await pair.news('second'))).toEqual(['yourTurn']);
    expect((await pair.read(game)).offers.takeback).toBeNull();
  });

  it('a request by the other player is an acceptance of the first', async () => {
    const game = await pair.after(LINE.slice(0, 4));
    await pair.readNews();
    await pair.do('first', 'offerTakeback', game);
    expect(await pair.news('second')).toEqual({ takebackOffer: { ply: 2 } });
    const asked = await pair.do('second', 'offerTakeback', game);
    expect(asked.offers.takeback).toMatchObject({ by: 'second', ply: 3 });
    expect([await pair.news('first'), await pair.news('second')]).toEqual([
      { takebackOffer: { ply: 3 }, offerAnswered: { offer: 'takeback', accepted: false } },
      {},
    ]);
    expect((await pair.log(game)).slice(1)).toEqual(
      expect.arrayContaining([
        ['declineTakeback', 'second', {}],
        ['offerTakeback', 'second', { ply: 3 }],
      ]),
    );
    await pair.refused(asked, () => pair.api.plain(pair.second, 'acceptTakeback', game.id), 'NO_OFFER');
    expect((await pair.do('first', 'acceptTakeback', game)).plyCount).toBe(3);
  });

  it('restores the bank', async () => {
    const bank = { timeControl: { type: 'bank', initial: 1000, increment: 10, cap: 1005 } };
    let game = await pair.after([], bank);
    const play = async (move: string, seconds: number): Promise<void> => {
      time.forward(seconds * 1000);
      game = await pair.goOn(game, [move]);
    };
    await play('e2e4', 100);
    await play('e7e5', 200);
    await play('g1f3', 50);
    const left = ({ clocks }: Game) => [clocks.first.remaining, clocks.second.remaining];
    expect(left(game)).toEqual([870, 810]);
    time.forward(300_000);
    game = await takenBack('first', game);
    expect([left(game), game.deadlineAt]).toEqual([[910, 810], pair.in(910_000)]);
    await play('b1c3', 5);
    expect((await plies(game)).map(({ clock }) => clock)).toEqual([910, 810, 870, 915]);
    game = await takenBack('second', game);
    expect([game.plyCount, left(game), game.deadlineAt]).toEqual([1, [910, 1000], pair.in(1_000_000)]);
    await play('e7e5', 1);
    game = await takenBack('first', game);
    expect([game.plyCount, left(game)]).toEqual([0, [1000, 1000]]);
    await play('e2e4', 1);
    expect(game.clocks.first.remaining).toBe(1005);
    expect(pliesOf(await pair.record(game))).toHaveLength(6);
  });

  it('is refused in a rated game', async () => {
    const game = await pair.after(LINE.slice(0, 3), { rated: true });
    await pair.refused(game, () => pair.api.plain(pair.first, 'offerTakeback', game.id), 'RATED_GAME');
  });

  it('removes other offers with the plies, but keeps the waiting time after a declined one', async () => {
    const game = await pair.after(LINE.slice(0, 4));
    await pair.do('first', 'offerDraw', game);
    await pair.do('second', 'declineDraw', game);
    await pair.do('second', 'offerDraw', game);
    await pair.do('second', 'offerPause', game);
    expect(Object.keys(await pair.news('first'))).toEqual(
      expect.arrayContaining(['drawOffer', 'pauseOffer']),
    );
    const back = await takenBack('first', game);
    expect(back.offers).toEqual({ ...NOTHING_OFFERED, firstMustMove: 10 });
    const news = await pair.news('first');
    expect([news['drawOffer'], news['pauseOffer']]).toEqual([undefined, undefined]);
  });

  it('is announced to the requesting player without the offers that lapsed with it', async () => {
    const game = await pair.after(LINE.slice(0, 4));
    await pair.do('first', 'offerDraw', game);
    await takenBack('first', game);
    expect((await pair.news('first'))['offerAnswered']).toEqual({ offer: 'takeback', accepted: true });
  });

  describe('claims count only the current line', () => {
    it('across a pawn move and a capture, before which no repetition counts', async () => {
      let game = await pair.after(KNIGHTS);
      game = await pair.goOn(game, ['e2e4', 'd7d5', 'e4d5']);
      expect(game.board.captured).toEqual(['p']);
      game = await takenBack('first', game);
      expect(game.board.captured).toEqual([]);
      game = await takenBack('first', game);
      expect([game.plyCount, game.turn]).toEqual([4, 'first']);
      game = await pair.goOn(game, KNIGHTS.slice(0, 3));
      expect((await pair.api.claimable(null, game.id)).data).toEqual([]);
      const with8 = { reason: 'threefoldRepetition', move: 'f6g8' };
      const drawn = must(await pair.api.claimDraw(pair.second, game.id, with8));
      expect(drawn).toMatchObject({ plyCount: 8, outcome: { reason: 'threefoldRepetition' } });
      expect(pliesOf(await pair.record(game))).toHaveLength(11);
    });

    it('without positions that were taken back', async () => {
      let game = await pair.after([...KNIGHTS, 'g1f3', 'g8f6']);
      game = await takenBack('first', game);
      game = await pair.goOn(game, ['g1f3', 'g8f6']);
      const claim = () => pair.api.claimDraw(pair.first, game.id, { reason: 'threefoldRepetition' });
      await pair.refused(game, claim, 'CLAIM_NOT_MET');
      game = await pair.goOn(game, ['f3g1', 'f6g8']);
      expect((await pair.api.claimable(null, game.id)).data).toEqual(['threefoldRepetition']);
      expect(must(await claim()).outcome).toEqual({ winner: null, reason: 'threefoldRepetition' });
      await pair.record(game);
    });
  });

  describe('in a face-down game', () => {
    /** AttemptSlots pieces up until whoever is to move can move one of them. */
    async function untilSomethingMoves(): Promise<readonly [Game, string]> {
      let game = await pair.after([], { ruleset: 'banqi-taiwan', ...DAYS });
      for (;;) {
        const legal = must(await pair.api.legalMoves(pair[game.turn!], game.id)).map(({ move }) => move);
        const move = legal.find((each) => each.length > 2);
        if (move !== undefined) return [game, move];
        game = await pair.goOn(game, legal.slice(0, 1));
      }
    }

    it('takes a move back, and keeps the deal', async () => {
      const [game, move] = await untilSomethingMoves();
      const before = await board(game);
      const mover = game.turn!;
      const moved = await pair.goOn(game, [move]);
      const back = await takenBack(mover, moved);
      expect(await board(back)).toEqual(before);
      const up = before.legal.map((each) => each.move).find((each) => each.length === 2)!;
      const turned = await pair.goOn(back, [up]);
      expect((await plies(turned)).at(-1)!.reveals).toMatch(/^[A-Za-z]$/);
      await pair.record(turned);
      await pair.do('first', 'resign', turned);
      expect(pliesOf(await pair.record(turned))).toHaveLength(turned.plyCount + 1);
    });

    it('refuses a takeback across a ply that turned a piece up', async () => {
      const [game, move] = await untilSomethingMoves();
      const ask = (player: Player) => () => pair.api.plain(pair[player], 'offerTakeback', game.id);
      await pair.refused(game, ask('first'), 'PIECE_TURNED_UP');
      await pair.refused(game, ask('second'), 'PIECE_TURNED_UP');
      const moved = await pair.goOn(game, [move]);
      await pair.refused(moved, ask(moved.turn!), 'PIECE_TURNED_UP');
      const asked = must(await ask(game.turn!)());
      expect(asked.offers.takeback).toMatchObject({ by: game.turn, ply: game.plyCount });
    });
  });
});
