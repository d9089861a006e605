import { GamesService } from '../../src/features/games/games.service.js';
import { Referee } from '../../src/features/games/referee.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { type Api, graphqlApi, restApi } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { DAY, perMove, startStopped } from '../support/pair.js';
import { type Person, register, renewed } from '../support/people.js';
import { begin, playMoves } from '../support/play.js';
import { sample } from '../support/scale.js';
import type { TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { type Body, must } from '../support/transport.js';

/** What the end of a game changes in the ratings, and which games change nothing. */

const MATE = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];
const RATED = { rated: true };
const IDLE_DAYS = 300;

let server: TestServer;
let time: StoppedTime;
beforeAll(async () => {
  [server, time] = await startStopped();
});
afterAll(() => server.close());

const WAYS = [
  ['GraphQL', graphqlApi, graphqlApi],
  ['REST', restApi, restApi],
] as const;

describe.each(sample(WAYS, 'REST'))('over %s', (_, over, ratingsOver) => {
  let api: Api;
  let ann: Person;
  let ben: Person;
  beforeEach(async () => {
    [api, api] = [over(server.http), ratingsOver(server.http)];
    [ann, ben] = await Promise.all([register(server.http, 'ann'), register(server.http, 'ben')]);
  });

  const players = () => ({ first: ann, second: ben });
  const after = async (moves: readonly string[], terms: Body = RATED): Promise<Game> =>
    playMoves(api, await begin(api, ann, ben, terms), moves, players());
  const of = async (person: Person) => must(await api.ratings(null, person.username))!;
  const later = async (milliseconds: number) => {
    time.forward(milliseconds);
    [ann, ben] = [await renewed(server.http, ann), await renewed(server.http, ben)];
  };
  /** Two plies that are legal in any game. */
  const twoPlies = async (game: Game): Promise<Game> => {
    const [one] = must(await api.legalMoves(ann, game.id));
    const at = must(await api.makeMove(ann, game.id, 1, one!.move));
    const [other] = must(await api.legalMoves(ben, game.id));
    return must(await api.makeMove(ben, at.id, 2, other!.move));
  };

  it('a mate is rated at once, and nothing before it', async () => {
    const running = await after(MATE.slice(0, 3));
    expect(running).toMatchObject({ rated: true, unrated: null, ratingChanges: null });
    expect(await of(ann)).toEqual([]);
    const { unrated, ratingChanges, endedAt } = must(await api.makeMove(ben, running.id, 4, 'd8h4'));
    expect(unrated).toBeNull();
    const { first, second } = ratingChanges!;
    expect(first).toMatchObject({ before: 1500, deviationBefore: 500 });
    expect(first.after).toBeLessThan(1400);
    expect(first.after + second.after).toBeCloseTo(3000, 6);
    expect([first.change, second.change]).toEqual([
      Math.round((first.after - 1500) * 100) / 100,
      Math.round((second.after - 1500) * 100) / 100,
    ]);
    expect(must(await api.game(null, running.id)).ratingChanges).toEqual(ratingChanges);
    const pool = { id: 'chess', ruleset: running.ruleset };
    const known = { pool, provisional: true, games: 1, draws: 0, ratedAt: endedAt };
    const volatility = expect.any(Number);
    expect(await of(ann)).toEqual([
      { ...known, rating: first.after, deviation: first.deviationAfter, volatility, wins: 0, losses: 1 },
    ]);
    expect(await of(ben)).toEqual([
      { ...known, rating: second.after, deviation: second.deviationAfter, volatility, wins: 1, losses: 0 },
    ]);
  });

  it('a draw between equals changes no rating, and lowers both deviations', async () => {
    const game = await after(['e2e4', 'e7e5']);
    await api.plain(ann, 'offerDraw', game.id);
    const { ratingChanges } = must(await api.plain(ben, 'acceptDraw', game.id));
    expect(ratingChanges!.first).toEqual(ratingChanges!.second);
    expect(ratingChanges!.first).toMatchObject({ before: 1500, after: 1500, change: 0 });
    expect(ratingChanges!.first.deviationAfter).toBeLessThan(500);
    expect(await of(ann)).toMatchObject([{ games: 1, wins: 0, draws: 1, losses: 0 }]);
  });

  it('a resignation is rated as a loss; repeating it counts once', async () => {
    const game = await after(['e2e4', 'e7e5']);
    const resigned = must(await api.resign(ann, game.id));
    expect(resigned.ratingChanges!.first.change).toBeLessThan(0);
    await api.resign(ann, game.id);
    expect(await of(ben)).toMatchObject([{ games: 1, wins: 1 }]);
    const points = must(await api.ratingHistory(null, ben.username, 'chess')).edges;
    expect(points.map(({ node }) => node)).toMatchObject([{ number: 1, gameId: game.id }]);
  });

  it('a resignation after turning up the first piece is rated as a loss, too', async () => {
    const banqi = { ...RATED, ruleset: 'banqi-taiwan' };
    const game = await begin(api, ann, ben, banqi);
    must(await api.makeMove(ann, game.id, 1, 'a1'));
    expect((await api.abort(ann, game.id)).refusal).toEqual({ code: 'TOO_LATE_TO_ABORT' });
    const { unrated, ratingChanges } = must(await api.resign(ann, game.id));
    expect(unrated).toBeNull();
    expect(ratingChanges!.first.change).toBeLessThan(0);
    expect(await of(ben)).toMatchObject([{ pool: { id: 'banqi-taiwan' }, games: 1, wins: 1 }]);
  });

  it('games lost on time are rated as of their deadlines, earliest first, in one sweep', async () => {
    const slow = await after(['e2e4', 'e7e5'], { ...RATED, ...perMove(7200) });
    const fast = await after(['e2e4', 'e7e5'], { ...RATED, ...perMove(3600) });
    const untouched = await after(['e2e4', 'e7e5']);
    await later(3 * 3_600_000);
    await server.app.get(Referee).sweep();
    const points = must(await api.ratingHistory(null, ann.username, 'chess')).edges.map(({ node }) => node);
    expect(points).toMatchObject([
      { number: 1, gameId: fast.id, at: fast.deadlineAt },
      { number: 2, gameId: slow.id, at: slow.deadlineAt },
    ]);
    const shown = must(await api.game(null, slow.id));
    expect(shown.ratingChanges!.first).toMatchObject({ before: points[0]!.rating, after: points[1]!.rating });
    expect(must(await api.game(null, untouched.id)).ratingChanges).toBeNull();
    expect(await of(ann)).toMatchObject([{ games: 2, losses: 2, ratedAt: slow.deadlineAt }]);
  });

  it('an end by the clock that is not stored yet has changed no rating', async () => {
    const game = await after(['e2e4', 'e7e5'], { ...RATED, ...perMove(60) });
    time.forward(66_000);
    expect(must(await api.game(null, game.id))).toMatchObject({ status: 'finished', ratingChanges: null });
    expect(await of(ann)).toEqual([]);
    await server.app.get(Referee).sweep();
    const [one, other] = await Promise.all([api.game(null, game.id), api.game(ben, game.id)]);
    expect(one.data.ratingChanges!.second.change).toBeGreaterThan(0);
    expect(other.data.ratingChanges).toEqual(one.data.ratingChanges);
    expect(await of(ann)).toMatchObject([{ games: 1, losses: 1, ratedAt: game.deadlineAt }]);
  });

  it('a pool is a rule set with any of its options', async () => {
    for (const slidingChariots of [true, false]) {
      const game = await begin(api, ann, ben, {
        ...RATED,
        ruleset: 'banqi-taiwan',
        options: { slidingChariots },
      });
      await api.resign(ben, (await twoPlies(game)).id);
    }
    const half = await begin(api, ann, ben, { ...RATED, ruleset: 'half-court-chess' });
    await api.resign(ben, (await twoPlies(half)).id);
    // In the order of the catalogue.
    expect(await of(ann)).toMatchObject([
      { pool: { id: 'half-court-chess' }, games: 1, wins: 1 },
      { pool: { id: 'banqi-taiwan' }, games: 2, wins: 2 },
    ]);
  });

  describe('is not rated, and gives the reason:', () => {
    const unrated = async (game: Game, reason: string) => {
      expect(must(await api.game(null, game.id))).toMatchObject({ unrated: reason, ratingChanges: null });
      expect(await of(ann)).toEqual([]);
      expect(await server.app.get(PrismaService).db.ratingChange.count({ where: { gameId: game.id } })).toBe(
        0,
      );
    };

    it('a casual game, whatever else applies', async () => {
      await unrated(await after(MATE, {}), 'casual');
      const game = await begin(api, ann, ben);
      await unrated(must(await api.abort(ann, game.id)), 'casual');
    });

    it('a game aborted by a player or by the operator', async () => {
      const game = await begin(api, ann, ben, RATED);
      await unrated(must(await api.abort(ann, game.id)), 'aborted');
      const other = await after(['e2e4', 'e7e5', 'g1f3']);
      await server.app.get(GamesService).adjudicate(other.id, 'Both asked for it.');
      await unrated(other, 'aborted');
    });

    it('a game that never started because the client seed did not come', async () => {
      const terms = () => ({
        ruleset: 'banqi-hongkong',
        ...RATED,
        clientSeedHash: clientSeedHash(newSeed()),
      });
      const waiting = await begin(api, ann, ben, { ...terms(), ...perMove(3600) });
      expect(waiting).toMatchObject({ status: 'pending', unrated: null });
      await later(2 * 3_600_000);
      await server.app.get(Referee).sweep();
      await unrated(waiting, 'aborted');
      const called = await begin(api, ann, ben, terms());
      await unrated(must(await api.abort(ben, called.id)), 'aborted');
    });

    it('a game of fewer than two plies', async () => {
      const none = await begin(api, ann, ben, RATED);
      await unrated(must(await api.resign(ann, none.id)), 'tooShort');
      const one = await after(['e2e4']);
      await unrated(must(await api.resign(ben, one.id)), 'tooShort');
    });

    it('a game in which only the opponent has turned up a piece, and chess after one ply', async () => {
      const turnedUp = async (terms: Body = RATED) => {
        const game = await begin(api, ann, ben, { ...terms, ruleset: 'half-chess' });
        return must(await api.makeMove(ann, game.id, 1, 'a1'));
      };
      await unrated(must(await api.resign(ben, (await turnedUp()).id)), 'tooShort');
      await unrated(must(await api.abort(ben, (await turnedUp()).id)), 'aborted');
      await unrated(must(await api.resign(ann, (await after(['e2e4'])).id)), 'tooShort');
      await unrated(must(await api.resign(ann, (await turnedUp({})).id)), 'casual');
      const late = await turnedUp({ ...RATED, ...perMove(60) });
      await later(3_600_000);
      await server.app.get(Referee).sweep();
      await unrated(late, 'tooShort');
    });

    it('a game with a chosen set-up', async () => {
      const terms = { ruleset: 'half-court-chess', options: { setup: 'NQRBK/qbnrk' }, ...RATED };
      const game = await twoPlies(await begin(api, ann, ben, terms));
      await unrated(must(await api.resign(ann, game.id)), 'customSetup');
    });
  });

  it('the deviation grows without games, as shown and as used by the next game', async () => {
    for (let games = 0; games < 3; games++) await api.resign(ann, (await after(['e2e4', 'e7e5'])).id);
    const [before] = await of(ann);
    await later(IDLE_DAYS * DAY);
    const [grown] = await of(ann);
    const growth = ((110 ** 2 - 60 ** 2) * IDLE_DAYS) / 365;
    expect(grown!.deviation).toBeCloseTo(Math.sqrt(before!.deviation ** 2 + growth), 1);
    expect({ ...grown, deviation: 0 }).toEqual({ ...before, deviation: 0 });
    const { ratingChanges } = must(await api.resign(ben, (await after(['e2e4', 'e7e5'])).id));
    expect(ratingChanges!.first).toMatchObject({ before: before!.rating, deviationBefore: grown!.deviation });
  });
});
