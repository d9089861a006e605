import { clientSeedHash } from '../../src/fairness/commitment.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { Departures } from '../../src/features/games/departures.js';
import { ChallengesService } from '../../src/features/matchmaking/challenges.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { untilChangesVisible } from '../support/changes.js';
import {
  close,
  CLOSED,
  type Named,
  registerNamed,
  sweepAccounts,
  tablesWith,
} from '../support/closed-accounts.js';
import { newSeed } from '../support/chosen-deals.js';
import { DAY, perMove, startStopped } from '../support/pair.js';
import { renewed } from '../support/people.js';
import { begin, NO_CLOCK, playMoves } from '../support/play.js';
import { ownTerms, setRating } from '../support/seeks.js';
import type { TestServer } from '../support/server.js';
import type { Game } from '../support/api-types.js';
import type { StoppedTime } from '../support/stopped-time.js';
import { must } from '../support/transport.js';

/** What happens to the games, seeks and challenges of a closed account, and what is deleted. */
// Both databases: much is deleted in one transaction, concurrently with others.

let server: TestServer;
let time: StoppedTime;
let api: Api;
let ann: Named;
let ben: Named;

beforeAll(async () => {
  [server, time] = await startStopped();
  api = restApi(server.http);
});
afterAll(() => server.close());
beforeEach(async () => {
  [ann, ben] = await Promise.all([registerNamed(server.http, 'ann'), registerNamed(server.http, 'ben')]);
});

const closeAnn = () => close(api, ann);
const MINUTE = 60_000;
const CHALLENGE = { ruleset: 'chess', timeControl: NO_CLOCK };
const OPENING = ['e2e4', 'e7e5'];
const moved = (game: Game, moves = OPENING) => playMoves(api, game, moves, { first: ann, second: ben });
const read = async ({ id }: Pick<Game, 'id'>): Promise<Game> => must(await api.game(null, id));
const events = async ({ id }: Pick<Game, 'id'>) =>
  must(await api.events(null, id)).map(({ type, player }) => [type, player]);
const newsOf = async (id: string, type: string) =>
  (await api.notifications(ben, { first: 100 })).data.edges
    .map(({ node }) => node)
    .filter((node) => node.gameId === id && node.type === type)
    .map(({ data }) => data);

describe('running games', () => {
  it('are resigned from ply 2 or an own turn-up on and aborted before, also if paused or waiting for a seed', async () => {
    const [hers, seed] = [newSeed(), newSeed()];
    const announced = (of: string) => ({ clientSeedHash: clientSeedHash(of) });
    const facedown = { ruleset: 'banqi-taiwan' };
    const games = {
      resigned: await moved(await begin(api, ann, ben)),
      'resigned on move': await moved(await begin(api, ben, ann), []),
      'called off': await moved(await begin(api, ann, ben), ['e2e4']),
      'has turned a piece up': await moved(await begin(api, ann, ben, facedown), ['a1']),
      'he has turned a piece up': await playMoves(api, await begin(api, ben, ann, facedown), ['a1'], {
        first: ben,
        second: ann,
      }),
      'waits for her seed': await begin(api, ann, ben, announced(hers)),
      'waits for his seed': await begin(api, ben, ann, announced(seed)),
    };
    const paused = await moved(await begin(api, ann, ben, perMove(86_400)));
    must(await api.plain(ann, 'offerPause', paused.id));
    must(await api.plain(ben, 'acceptPause', paused.id));
    await closeAnn();
    const ends: Record<string, unknown> = {};
    for (const [name, game] of Object.entries({ ...games, paused })) {
      const { status, outcome } = await read(game);
      ends[name] = [status, outcome!.winner, outcome!.reason];
      expect(await newsOf(game.id, 'gameOver')).toEqual([outcome]);
    }
    expect(ends).toEqual({
      resigned: ['finished', 'second', 'resignation'],
      'resigned on move': ['aborted', null, 'aborted'],
      'called off': ['aborted', null, 'aborted'],
      'has turned a piece up': ['finished', 'second', 'resignation'],
      'he has turned a piece up': ['aborted', null, 'aborted'],
      'waits for her seed': ['aborted', null, 'aborted'],
      'waits for his seed': ['aborted', null, 'aborted'],
      paused: ['finished', 'second', 'resignation'],
    });
    expect((await events(games.resigned)).slice(-2)).toEqual([
      ['resign', 'first'],
      ['end', null],
    ]);
    const late = await api.giveClientSeed(ben, games['waits for his seed'].id, seed);
    expect(late.refusal?.code).toBe('GAME_OVER');
  });

  it('are rated for the opponent, who is notified', async () => {
    const game = await moved(await begin(api, ann, ben, { rated: true }));
    await setRating(server.app, ann, 1900);
    await closeAnn();
    const { ratingChanges, unrated } = await read(game);
    expect([unrated, ratingChanges!.second.change]).toEqual([null, expect.any(Number)]);
    expect(ratingChanges!.second.change).toBeGreaterThan(0);
    expect(ratingChanges!.first.before).toBe(1900);
    expect(ratingChanges!.first.change).toBeLessThan(0);
    const { data } = await api.ratings(null, ben.username);
    expect(data).toMatchObject([{ pool: { id: 'chess' }, games: 1, wins: 1 }]);
    expect(await newsOf(game.id, 'gameOver')).toEqual([{ winner: 'second', reason: 'resignation' }]);
  });

  it('are lost on time when overdue, unless a vacation has stopped the clock', async () => {
    const late = await moved(await begin(api, ann, ben, perMove(3600)));
    const away = await moved(await begin(api, ann, ben, perMove(7200)));
    // No sweep runs: the game has not recorded the vacation when it is read.
    const startsAt = new Date(time.now().getTime() + 5_400_000);
    must(await api.planVacation(ann, { days: 3, startsAt }));
    time.forward(DAY);
    ann = { ...ann, ...(await renewed(server.http, ann)) };
    await closeAnn();
    expect(await read(late)).toMatchObject({
      outcome: { winner: 'second', reason: 'timeout' },
      endedAt: late.deadlineAt,
    });
    expect((await read(away)).outcome).toEqual({ winner: 'second', reason: 'resignation' });
    const { db } = server.app.get(PrismaService);
    expect(await db.vacation.count({ where: { userId: ann.id } })).toBe(0);
  });

  it('are ended by the sweep if closing failed, and until then nothing they need is deleted', async () => {
    const game = await moved(await begin(api, ann, ben, { rated: true }));
    const { db } = server.app.get(PrismaService);
    // The state that a server leaves if it is killed here.
    await db.user.update({ where: { id: ann.id }, data: { closedAt: time.now(), leaving: true } });
    expect(await read(game)).toMatchObject({
      status: 'active',
      players: [{ player: { id: ann.id, ...CLOSED } }, { player: { id: ben.id } }],
    });
    await sweepAccounts(server.app);
    expect((await read(game)).outcome).toEqual({ winner: 'second', reason: 'resignation' });
    expect(await db.rating.count({ where: { userId: ann.id } })).toBe(0);
  });

  it('keep a valid record before and after, apart from the name', async () => {
    const game = await moved(
      await begin(api, ann, ben, { clientSeed: newSeed() }, { clientSeed: newSeed() }),
      [...OPENING, 'g1f3'],
    );
    must(await api.resign(ben, game.id));
    const record = async () => must(await api.record(null, game.id));
    const before = await record();
    expect(before.players.first).toEqual({ id: ann.id, username: ann.username });
    await closeAnn();
    const after = await record();
    expect(after).toEqual({
      ...before,
      players: { ...before.players, first: { id: ann.id, username: CLOSED.username } },
    });
    expect([holds(verify(before)), holds(verify(after))]).toEqual([true, true]);
  });
});

describe.each(TRANSPORTS)('nothing begins with a closed account over %s', (_, over) => {
  it('refuses challenges, rematches, counter-offers and messages; open ones are closed', async () => {
    const acts = over(server.http);
    const ended = await moved(await begin(api, ann, ben));
    const other = await moved(await begin(api, ann, ben));
    for (const { id } of [ended, other]) must(await api.resign(ben, id));
    const open = {
      hers: must(await api.createChallenge(ann, { ...CHALLENGE, opponent: ben.username })),
      link: must(await api.createChallenge(ann, CHALLENGE)),
      seek: must(await api.createSeek(ann, ownTerms())),
      his: must(await api.createChallenge(ben, { ...CHALLENGE, opponent: ann.username })),
      'her rematch': must(await api.offerRematch(ann, ended.id)),
      'his rematch': must(await api.offerRematch(ben, other.id)),
    };
    await closeAnn();
    const states: Record<string, unknown> = {};
    for (const [name, { id }] of Object.entries(open)) {
      const { status, declineReason } = must(await acts.challenge(ben, id, open.link.linkToken ?? undefined));
      states[name] = [status, declineReason];
      const accepted = await acts.acceptChallenge(ben, id, { linkToken: open.link.linkToken });
      expect(accepted.refusal?.code).toBe(name.startsWith('his') ? 'OWN_CHALLENGE' : 'CHALLENGE_CLOSED');
    }
    expect(states).toEqual({
      ...{ hers: ['cancelled', null], link: ['cancelled', null], seek: ['cancelled', null] },
      ...{ his: ['declined', 'generic'], 'her rematch': ['cancelled', null], 'his rematch': ['declined', 'generic'] }, // prettier-ignore
    });
    expect(await newsOf(open.his.id, 'challengeAnswered')).toEqual([{ accepted: false, reason: 'generic' }]);
    for (const { id } of [ended, other]) {
      expect((await acts.offerRematch(ben, id)).refusal).toEqual({ code: 'ACCOUNT_CLOSED' });
    }
    for (const opponent of [ann.username, CLOSED.username]) {
      const { refusal } = await acts.createChallenge(ben, { ...CHALLENGE, opponent });
      expect(refusal).toEqual({ code: 'NOT_FOUND', field: 'opponent' });
    }
    const { refusal } = await api.sendMessage(ben, ended.id, 'Hello?');
    expect(refusal).toEqual({ code: 'ACCOUNT_CLOSED' });
    expect(must(await acts.messagesAllowed(ben, ended.id))).toBe(false);
    expect((await acts.inbox(ben)).data.totalCount).toBe(0);
  });

  it('also just before the open ones are closed', async () => {
    const acts = over(server.http);
    const { db } = server.app.get(PrismaService);
    const hers = must(await api.createChallenge(ann, { ...CHALLENGE, opponent: ben.username }));
    const terms = ownTerms();
    const seek = must(await api.createSeek(ann, terms));
    await db.user.update({ where: { id: ann.id }, data: { closedAt: time.now(), leaving: true } });
    for (const { id } of [hers, seek]) {
      expect((await acts.acceptChallenge(ben, id)).refusal).toEqual({ code: 'ACCOUNT_CLOSED' });
    }
    // Her token still works where the end of her sessions is not yet known.
    const his = must(await api.createSeek(ben, terms));
    expect([his.status, his.gameId]).toEqual(['open', null]);
    expect((await api.createSeek(ann, terms)).refusal).toEqual({ code: 'ACCOUNT_CLOSED' });
    expect((await acts.acceptChallenge(ann, his.id)).refusal).toEqual({ code: 'ACCOUNT_CLOSED' });
    expect((await api.planVacation(ann, { days: 1 })).refusal).toEqual({ code: 'ACCOUNT_CLOSED' });
    const renamed = await api.updateProfile(ann, { displayName: 'X' });
    expect(renamed.refusal).toEqual({ code: 'ACCOUNT_CLOSED' });
    expect(await db.game.count({ where: { OR: [{ firstId: ann.id }, { secondId: ann.id }] } })).toBe(0);
  });
});

it('refuses a message sent before her sessions have ended everywhere', async () => {
  const { db } = server.app.get(PrismaService);
  const game = await moved(await begin(api, ann, ben));
  await db.user.update({ where: { id: ann.id }, data: { closedAt: time.now(), leaving: true } });
  const { refusal } = await api.sendMessage(ann, game.id, 'One last word');
  expect(refusal).toEqual({ code: 'ACCOUNT_CLOSED' });
  expect([await db.message.count({ where: { gameId: game.id } }), await newsOf(game.id, 'message')]).toEqual([
    0,
    [],
  ]);
});

describe('if one step fails', () => {
  it('all others are done, and the sweep retries it', async () => {
    const { db } = server.app.get(PrismaService);
    const [departures, challenges] = [server.app.get(Departures), server.app.get(ChallengesService)];
    const game = await moved(await begin(api, ann, ben, { rated: true }));
    const challenge = must(await api.createChallenge(ann, { ...CHALLENGE, opponent: ben.username }));
    must(await api.planVacation(ann, { days: 1, startsAt: new Date(time.now().getTime() + DAY) }));
    const faults = [
      jest.spyOn(departures, 'leaveAll').mockRejectedValue(new Error('damaged')),
      jest.spyOn(challenges, 'closeAllOf').mockRejectedValue(new Error('damaged')),
    ];
    await closeAnn();
    time.forward(MINUTE);
    await sweepAccounts(server.app);
    expect(await tablesWith(server.app, ann.username)).toEqual(['users']);
    expect((await read(game)).status).toBe('active');
    // Still needed by the game.
    expect(await db.vacation.count({ where: { userId: ann.id } })).toBe(1);
    for (const fault of faults) fault.mockRestore();
    await sweepAccounts(server.app);
    expect((await read(game)).outcome).toEqual({ winner: 'second', reason: 'resignation' });
    expect(must(await api.challenge(ben, challenge.id)).status).toBe('cancelled');
    expect(await db.vacation.count({ where: { userId: ann.id } })).toBe(0);
    const row = await db.user.findUniqueOrThrow({ where: { id: ann.id } });
    expect([row.leaving, row.username]).toEqual([false, ann.username]);
  });

  it('an account closed earlier is not told of later ones', async () => {
    const { db } = server.app.get(PrismaService);
    await api.resign(ben, (await moved(await begin(api, ann, ben))).id);
    for (const leaver of [ann, ben]) {
      await close(api, leaver);
      time.forward(MINUTE);
      await sweepAccounts(server.app);
    }
    expect(await db.change.count({ where: { userId: { in: [ann.id, ben.id] } } })).toBe(0);
  });
});

describe('her own data', () => {
  it('is deleted; what she shares with others stays under an id', async () => {
    const { db } = server.app.get(PrismaService);
    const cid = await registerNamed(server.http, 'cid');
    const game = await moved(await begin(api, ann, ben, { rated: true }));
    must(await api.sendMessage(ann, game.id, 'Hello'));
    await Promise.all([api.setNote(ann, game.id, 'Hers'), api.setNote(ben, game.id, 'His')]);
    const second = await begin(api, ben, ann);
    await Promise.all([api.setNote(ann, second.id, 'Hers'), api.setNote(ben, second.id, 'His')]);
    must(await api.setConditionalMoves(ben, game.id, [{ when: 'g1f3', reply: 'b8c6' }]));
    await api.blockUser(ann, cid.username);
    await api.blockUser(cid, ann.username);
    await api.blockUser(cid, ben.username);
    must(await api.planVacation(ann, { days: 1, startsAt: new Date(time.now().getTime() + DAY) }));
    must(await api.createChallenge(ann, { ...CHALLENGE, opponent: ben.username }, 'a-key'));
    const imported = { importId: game.id, score: {}, plies: [], plyCount: 0, position: '' };
    await db.importedGame.create({
      data: { id: game.id, userId: ann.id, ...imported, importedAt: time.now() },
    });
    const { data: seen } = await api.changes(cid, { fromNow: true });
    await closeAnn();
    // The one change belongs to a user who blocked her.
    expect(await db.change.count({ where: { userId: ann.id } })).toBe(0);
    expect(await db.event.count({ where: { userId: ann.id, otherId: null } })).toBe(0);
    expect(await tablesWith(server.app, ann.id)).toEqual([
      'challenges',
      'changes',
      // Of her games and challenges, which others share.
      'events',
      // Hashed with the id that the game began with.
      'game_events',
      'games',
      'rating_changes',
      'sessions',
      'users',
    ]);
    expect([(await api.note(ben, game.id)).data, (await api.note(ben, second.id)).data]).toEqual([
      'His',
      'His',
    ]);
    expect(await db.gameSeat.count({ where: { gameId: { in: [game.id, second.id] } } })).toBe(2);
    expect((await api.messages(ben, game.id)).data!.edges.map(({ node }) => node.text)).toEqual(['Hello']);
    const blocked = (await api.blockedUsers(cid)).data.edges.map(({ node }) => node.id);
    expect(blocked).toEqual([ben.id]);
    await untilChangesVisible(server.app);
    const { data } = await api.changes(cid, { since: seen.cursor });
    const gone = data.items.filter(({ deleted }) => deleted);
    expect(gone.map(({ kind, id }) => [kind, id])).toEqual([['block', ann.id]]);
  });
});
