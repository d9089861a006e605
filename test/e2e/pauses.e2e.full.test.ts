import { Referee } from '../../src/features/games/referee.js';
import { TRANSPORTS } from '../support/api.js';
import { DAY, explained, HOUR, Pair, perMove, startStopped, stored } from '../support/pair.js';
import { sample } from '../support/scale.js';
import type { TestServer } from '../support/server.js';
import { type Game, NOTHING_OFFERED } from '../support/api-types.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';

/** Pauses by agreement: what stops, what does not, and how play continues. */

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  [server, time] = await startStopped();
});
afterAll(() => server.close());

const OPENING = ['e2e4', 'e7e5'];
const SECONDS = 1000;
const TURN = perMove(SECONDS);

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let pair: Pair;
  beforeEach(async () => {
    pair = new Pair(server, time, over(server.http));
    await pair.meet();
  });

  /** A game with 1000 seconds per move, paused 100.25 seconds after ply 2. */
  async function paused(terms = TURN): Promise<Game> {
    const game = await pair.after(OPENING, terms);
    time.forward(100_250);
    await pair.do('second', 'offerPause', game);
    return pair.do('first', 'acceptPause', game);
  }

  const remaining = ({ clocks }: Game) => [clocks.first.remaining, clocks.second.remaining];
  const runs = ({ clocks }: Game) => clocks.first.running || clocks.second.running;

  it('is offered and accepted: the clocks stop, and no moves are played', async () => {
    const game = await pair.after(OPENING, TURN);
    await pair.readNews();
    const asked = await pair.do('second', 'offerPause', game);
    expect(asked).toMatchObject({
      status: 'active',
      deadlineAt: game.deadlineAt,
      offers: { ...NOTHING_OFFERED, pause: { by: 'second', at: pair.in(0), ply: null } },
    });
    expect([await pair.news('first'), await pair.news('second')]).toEqual([{ pauseOffer: {} }, {}]);
    time.forward(100_250);
    const stands = await pair.do('first', 'acceptPause', game);
    expect(stands).toMatchObject({
      status: 'paused',
      turn: 'first',
      deadlineAt: null,
      resumesAt: null,
      offers: NOTHING_OFFERED,
    });
    expect(explained(stands)).toEqual([['turnStarted', 0], ['allowance', SECONDS], ['pause', null]]); // prettier-ignore
    expect(stands.deadline.explain[2]).toMatchObject({ from: pair.in(-250), until: null });
    expect([await pair.news('first'), await pair.news('second')]).toEqual([
      {},
      { offerAnswered: { offer: 'pause', accepted: true } },
    ]);
    await pair.later(100 * DAY);
    const still = await pair.read(game);
    expect(still).toEqual({ ...stands, viewer: null });
    expect([remaining(still), runs(still)]).toEqual([[900, SECONDS], false]);
    for (const player of ['first', 'second'] as const) {
      await pair.refused(still, () => pair.api.makeMove(pair[player], game.id, 3, 'g1f3'), 'GAME_PAUSED');
      expect(must(await pair.api.legalMoves(pair[player], game.id))).toEqual([]);
    }
  });

  it('allows a draw by agreement and a resignation', async () => {
    const drawn = await paused();
    await pair.do('second', 'offerDraw', drawn);
    expect((await pair.do('first', 'acceptDraw', drawn)).outcome).toEqual({ winner: null, reason: 'agreement' }); // prettier-ignore
    const declined = await paused();
    await pair.do('first', 'offerDraw', declined);
    expect((await pair.do('second', 'declineDraw', declined)).offers.firstMustMove).toBe(10);
    const resigned = await pair.do('first', 'resign', declined);
    expect(resigned).toMatchObject({ status: 'finished', outcome: { winner: 'second', reason: 'resignation' } }); // prettier-ignore
    await pair.record(resigned);
  });

  it('is accepted by a second offer, declined explicitly or by a move, and withdrawn by an own move', async () => {
    const agreed = await pair.after(OPENING, TURN);
    await pair.do('first', 'offerPause', agreed);
    expect((await pair.do('second', 'offerPause', agreed)).status).toBe('paused');

    let game = await pair.after(OPENING, TURN);
    await pair.do('first', 'offerPause', game);
    await pair.readNews();
    expect((await pair.do('second', 'declinePause', game)).offers).toEqual(NOTHING_OFFERED);
    const no = { offerAnswered: { offer: 'pause', accepted: false } };
    expect([await pair.news('first'), await pair.news('second')]).toEqual([no, {}]);

    await pair.do('second', 'offerPause', game);
    await pair.readNews();
    game = await pair.move('first', game, 'g1f3');
    expect([game.offers.pause, await pair.news('second')]).toMatchObject([null, no]);
    expect((await pair.log(game)).at(-1)).toEqual(['declinePause', 'first', { byMove: true }]);

    await pair.do('second', 'offerPause', game);
    game = await pair.move('second', game, 'b8c6');
    expect([game.offers.pause, Object.keys(await pair.news('first'))]).toEqual([null, ['yourTurn']]);
    await pair.refused(game, () => pair.api.plain(pair.first, 'acceptPause', game.id), 'NO_OFFER');
  });

  it('ends 24 hours after a notice, as of that time, and the turn keeps its time', async () => {
    const game = await paused();
    await pair.readNews();
    time.forward(10_000);
    const noticed = await pair.do('second', 'unpause', game);
    // Paused from 100.25 seconds of the turn to 110.25 and a day: the seconds that the pause touched do not count.
    const resumesAt = pair.in(DAY + 750);
    const stood = 11 + DAY / 1000;
    expect(noticed).toMatchObject({ status: 'paused', resumesAt });
    expect(explained(noticed)).toEqual([['turnStarted', 0], ['allowance', SECONDS], ['pause', stood]]); // prettier-ignore
    expect([await pair.news('first'), await pair.news('second')]).toEqual([
      { pauseEnding: { resumesAt } },
      {},
    ]);
    expect(await pair.log(game, game.version)).toEqual([
      ['unpause', 'second', { resumesAt, deadlineAt: noticed.deadlineAt }],
    ]);
    await pair.later(DAY + 749);
    const still = await pair.read(game);
    expect([still.status, still.version, remaining(still), runs(still)]).toEqual(['paused', noticed.version, [900, SECONDS], false]); // prettier-ignore
    await pair.refused(still, () => pair.api.makeMove(pair.first, game.id, 3, 'g1f3'), 'GAME_PAUSED');
    time.forward(1);
    await server.app.get(Referee).sweep();
    const resumed = await pair.read(game);
    expect(resumed).toMatchObject({
      status: 'active',
      resumesAt: null,
      deadlineAt: noticed.deadlineAt,
      version: noticed.version + 1,
      lastActivityAt: noticed.lastActivityAt,
    });
    expect(must(await pair.api.events(null, game.id)).at(-1)).toMatchObject({ type: 'resume', player: null, at: resumesAt }); // prettier-ignore
    time.forward(400_000);
    const later = await pair.read(game);
    expect([remaining(later), runs(later)]).toEqual([[500, SECONDS], true]);
    const moved = await pair.move('first', later, 'g1f3');
    expect(must(await pair.api.moves(null, game.id)).edges[2]!.node.timeUsed).toBe(500);
    expect(explained(moved)).toEqual([['turnStarted', 0], ['allowance', SECONDS]]); // prettier-ignore
    await pair.record(moved);
  });

  it.each([
    ['a move', (game: Game) => pair.api.makeMove(pair.first, game.id, 3, 'g1f3')],
    ['a sweep', () => server.app.get(Referee).sweep()],
    ['an act that is refused', (game: Game) => pair.api.plain(pair.first, 'unpause', game.id)],
  ] as const)('%s that comes late resumes it as of its end', async (_name, look) => {
    const game = await paused();
    const { resumesAt, deadlineAt } = await pair.do('first', 'unpause', game);
    await pair.later(DAY + 600_000);
    await look(game);
    const { row, events } = await stored(server, game);
    expect(row).toMatchObject({ status: 'active' });
    expect(events.find(({ type }) => type === 'resume')!.at).toEqual(new Date(resumesAt!));
    const now = await pair.read(game);
    if (now.plyCount === 2) expect(now.deadlineAt).toBe(deadlineAt);
  });

  it('a late read shows it resumed as of its end, and stores nothing', async () => {
    const game = await paused();
    const { resumesAt, deadlineAt, version } = await pair.do('first', 'unpause', game);
    await pair.later(DAY + 600_000);
    expect(await pair.read(game)).toMatchObject({ status: 'active', deadlineAt, version: version + 1 });
    expect(must(await pair.api.events(null, game.id)).at(-1)).toMatchObject({
      type: 'resume',
      at: resumesAt,
    });
    expect((await stored(server, game)).row).toMatchObject({ status: 'paused', version });
  });

  it('ends at once when both give notice', async () => {
    const game = await paused();
    await pair.later(3 * DAY);
    await pair.do('first', 'unpause', game);
    await pair.readNews();
    time.forward(HOUR);
    const on = await pair.do('second', 'unpause', game);
    const stood = (3 * DAY + HOUR) / 1000 + 1;
    expect(on).toMatchObject({ status: 'active', resumesAt: null });
    expect(explained(on)).toEqual([['turnStarted', 0], ['allowance', SECONDS], ['pause', stood]]); // prettier-ignore
    expect(await pair.news('first')).toEqual({ pauseEnding: { resumesAt: pair.in(0) } });
    expect((await pair.log(game)).at(-1)).toEqual(['unpause', 'second', { resumesAt: pair.in(0), deadlineAt: on.deadlineAt }]); // prettier-ignore
    time.forward(750);
    expect((await pair.api.makeMove(pair.first, game.id, 3, 'g1f3')).data.plyCount).toBe(3);
    const { events } = await stored(server, game);
    expect(events.map(({ type }) => type)).not.toContain('resume');
  });

  it('ends when its time is over: as reads show it, and as the sweep stores it', async () => {
    const game = await paused();
    const { resumesAt, deadlineAt } = await pair.do('first', 'unpause', game);
    await pair.later(5 * DAY);
    expect(must(await pair.api.myGames(pair.second, { list: 'running' })).games).toEqual([]);
    const shown = [await pair.read(game), await pair.log(game)] as const;
    await server.app.get(Referee).sweep();
    expect([await pair.read(game), await pair.log(game)]).toEqual([
      // The chain and its signature cover what is stored.
      {
        ...shown[0],
        fairness: {
          ...shown[0].fairness,
          serverSeed: expect.any(String) as string,
          headHash: expect.any(String) as string,
          receipt: expect.any(String) as string,
        },
      },
      shown[1],
    ]);
    const { row, events } = await stored(server, game);
    expect(row).toMatchObject({ status: 'finished', reason: 'timeout', winner: 'second', endedAt: new Date(deadlineAt!) }); // prettier-ignore
    const since = events.slice(-3).map(({ type, at }) => [type, at.toISOString()]);
    expect(since).toEqual([['resume', resumesAt], ['end', deadlineAt], ['flag', deadlineAt]]); // prettier-ignore
    await pair.record(game);
  });

  it('can be agreed on again in the same turn, and each one counts', async () => {
    const game = await paused();
    await pair.do('first', 'unpause', game);
    await pair.do('second', 'unpause', game);
    time.forward(100_000);
    await pair.do('first', 'offerPause', game);
    await pair.do('second', 'acceptPause', game);
    time.forward(50_000);
    await pair.do('second', 'unpause', game);
    const on = await pair.do('first', 'unpause', game);
    expect(explained(on).slice(2)).toEqual([['pause', 1], ['pause', 51]]); // prettier-ignore
    expect(remaining(on)).toEqual([SECONDS - 100 - 99, SECONDS]);
  });

  it('stops a bank too', async () => {
    const game = await paused({ timeControl: { type: 'bank', initial: 1000, increment: 5, cap: 2000 } });
    await pair.later(DAY);
    await pair.do('first', 'unpause', game);
    await pair.do('second', 'unpause', game);
    time.forward(750);
    const moved = await pair.move('first', game, 'g1f3');
    expect(remaining(moved)).toEqual([1005 - 100 + 5, 1005]);
  });

  it('delays the reminder with the clock', async () => {
    const game = await paused();
    await pair.later(DAY);
    await pair.do('first', 'unpause', game);
    await pair.do('second', 'unpause', game);
    await pair.readNews();
    time.forward(699_000);
    expect(await pair.read(game)).toMatchObject({ status: 'active' });
    expect(await pair.news('first')).toEqual({});
    time.forward(2_000);
    await server.app.get(Referee).sweep();
    expect(await pair.news('first')).toHaveProperty('reminder');
  });

  it('extends the 30 days of a game without a time control', async () => {
    const game = await pair.after(OPENING);
    await pair.do('first', 'offerPause', game);
    await pair.do('second', 'acceptPause', game);
    await pair.later(40 * DAY);
    const still = await pair.read(game);
    expect(still.deadline).toEqual({ at: null, explain: [], abandonableAt: null });
    await pair.refused(still, () => pair.api.plain(pair.second, 'claimAbandoned', game.id), 'GAME_PAUSED');
    await pair.do('second', 'unpause', game);
    const noticed = await pair.read(game);
    expect(noticed.deadline.abandonableAt).toBe(pair.in(31 * DAY));
    await pair.later(DAY);
    await server.app.get(Referee).sweep();
    expect(await pair.read(game)).toMatchObject({ status: 'active', deadline: { abandonableAt: pair.in(30 * DAY) } }); // prettier-ignore
    expect((await pair.move('first', await pair.read(game), 'g1f3')).plyCount).toBe(3);
  });

  it('keeps open requests to the opponent until it is over', async () => {
    const game = await pair.after(OPENING, TURN);
    await pair.do('first', 'offerTakeback', game);
    await pair.do('second', 'offerPause', game);
    expect(await pair.news('second')).toHaveProperty('takebackOffer');
    const stands = await pair.do('first', 'acceptPause', game);
    expect(stands.offers).toMatchObject({ ...NOTHING_OFFERED, takeback: { by: 'first', ply: 0 } });
    expect(await pair.news('second')).toHaveProperty('takebackOffer');
    expect(await pair.news('first')).not.toHaveProperty('pauseOffer');
    await pair.refused(stands, () => pair.api.plain(pair.second, 'acceptTakeback', game.id), 'GAME_PAUSED');
    await pair.do('first', 'unpause', game);
    await pair.do('second', 'unpause', game);
    expect((await pair.do('second', 'acceptTakeback', game)).plyCount).toBe(0);
  });
});
