import { DealsStore } from '../../src/engine/deals.store.js';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { deal } from '../../src/fairness/deal.js';
import { dealRoot } from '../../src/fairness/merkle.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { SHOWN_LATE_MS } from '../../src/features/games/as-of-now.js';
import { Referee } from '../../src/features/games/referee.js';
import { SeeksService } from '../../src/features/matchmaking/seeks.service.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { rulesetById } from '../../src/rules/registry.js';
import { type Api, restApi, TRANSPORTS } from '../support/api.js';
import { newSeed } from '../support/chosen-deals.js';
import { type Person, register } from '../support/people.js';
import { NO_CLOCK, playMoves } from '../support/play.js';
import { sample } from '../support/scale.js';
import { ownTerms } from '../support/seeks.js';
import { sharedServer, type TestServer } from '../support/server.js';
import type { Challenge, Game } from '../support/api-types.js';
import { type StoppedTime, stopTime } from '../support/stopped-time.js';
import { type Body, type Json, must } from '../support/transport.js';

/** What was opened before format 2 continues in format 1, seeds and record, to its end. */

let server: TestServer;
let time: StoppedTime;
let ann: Person;
let ben: Person;
let cid: Person;
beforeAll(async () => {
  server = await sharedServer();
  time = stopTime(server.app);
  [ann, ben, cid] = (await Promise.all(['ann', 'ben', 'cid'].map((name) => register(server.http, name)))) as [Person, Person, Person]; // prettier-ignore
});
afterAll(() => server.close());

const OLD_SEED = 'a walk in the rain';
const TERMS = { ruleset: 'banqi-hongkong', side: 'first', timeControl: NO_CLOCK };
const ANNOUNCED = { creatorClientSeed: null, creatorClientSeedHash: clientSeedHash(OLD_SEED) };
const PLAIN = { creatorClientSeed: OLD_SEED, creatorClientSeedHash: null };

/** The row as it was in the database before the upgrade. */
async function asBefore<T extends Pick<Challenge, 'id'>>(
  made: T,
  seed: typeof ANNOUNCED | typeof PLAIN,
): Promise<T> {
  const { challenge } = server.app.get(PrismaService).db;
  const data = { format: 1, createHash: null, headHash: null, creatorSeedAt: null, ...seed };
  await challenge.update({ where: { id: made.id }, data });
  return made;
}

const record = async (id: string): Promise<Json> => must(await restApi(server.http).record(null, id));

/** The root over the deal of format 1, which has seats rather than parts. */
async function rootOf({ id: gameId, ruleset: { id: name }, fairness }: Game): Promise<string> {
  const ruleset = rulesetById(name)!;
  const serverSeed = await server.app.get(DealsStore).seed(gameId);
  const { first, second } = fairness.clientSeeds;
  const seeds = { creatorSeed: first, accepterSeed: second, creatorFirst: true };
  const text = deal(ruleset, { format: 1, gameId, serverSeed, ...seeds })!;
  return dealRoot({ format: 1, gameId, serverSeed, board: ruleset.board, deal: text });
}

describe.each(sample(TRANSPORTS, 'GraphQL'))('over %s', (_, over) => {
  let api: Api;
  beforeAll(() => {
    api = over(server.http);
  });

  const open = async (seed: typeof ANNOUNCED | typeof PLAIN, terms: Body = {}): Promise<Challenge> =>
    asBefore(must(await api.createChallenge(ann, { ...TERMS, opponent: ben.username, ...terms })), seed);

  /** Plays on and resigns; the record is a valid one of format 1. */
  async function expectPlayed(game: Game): Promise<void> {
    expect(game.fairness.dealRoot).toBe(await rootOf(game));
    await playMoves(api, game, ['a1', 'b1', 'c1'], { first: ann, second: ben });
    const running = await record(game.id);
    expect([holds(verify(running)), running.serverSeed]).toEqual([true, null]);
    must(await api.resign(ben, game.id));
    const ended = await record(game.id);
    expect(ended).not.toHaveProperty('rows');
    expect(ended).toMatchObject({ id: game.id, termsHash: game.fairness.termsHash, plies: [{}, {}, {}] });
    const findings = verify(ended);
    expect(findings.filter(({ ok }) => ok === false)).toEqual([]);
    const checked = Object.fromEntries(findings.map(({ check, ok }) => [check, ok]));
    const all = { commitment: true, clientSeeds: true, deal: true, dealRoot: true, chain: true, plies: true };
    expect(checked).toMatchObject({ ...all, proofs: true, reveals: true });
    // Its events are not in a chain.
    const events = await server.app.get(PrismaService).db.gameEvent.findMany({ where: { gameId: game.id } });
    expect(new Set(events.map(({ hash, previousHash }) => hash ?? previousHash))).toEqual(new Set([null]));
  }

  it.each([
    ['a seed', newSeed()],
    ['none', null],
  ])(
    'accepts an open challenge with a plain seed with %s, and plays it to the end',
    async (_name, clientSeed) => {
      const { id } = await open(PLAIN);
      const early = await api.giveClientSeed(ann, id, newSeed());
      expect(early.refusal).toEqual({ code: 'INVALID_SEED', field: 'clientSeed' });
      expect(early.message).toMatch(/of format 1/);
      const game = must(await api.acceptChallenge(ben, id, { clientSeed }));
      expect(game).toMatchObject({
        status: 'active',
        version: 1,
        fairness: {
          clientSeeds: { first: OLD_SEED, second: clientSeed ?? '' },
          creatorSeed: 'given',
          accepterSeed: clientSeed === null ? 'leftToServer' : 'given',
        },
      });
      expect(must(await api.events(null, id)).map(({ seq, type }) => [seq, type])).toEqual([[1, 'start']]); // prettier-ignore
      await expectPlayed(game);
    },
  );

  it('waits for an announced seed in its old form, and plays to the end', async () => {
    const { id } = await open(ANNOUNCED);
    const early = await api.giveClientSeed(ann, id, OLD_SEED);
    expect(early.refusal).toEqual({ code: 'INVALID_SEED', field: 'clientSeed' });
    const waiting = must(await api.acceptChallenge(ben, id, { clientSeed: newSeed() }));
    expect(waiting).toMatchObject({
      status: 'pending',
      fairness: { creatorSeed: 'sealed', dealRoot: null, termsHash: null },
    });
    const none = await restApi(server.http).record(null, id);
    expect([none.status, none.refusal?.code]).toEqual([409, 'GAME_PENDING']);
    for (const wrong of ['A walk in the rain', '', 'x'.repeat(65), 'ü']) {
      const { refusal } = await api.giveClientSeed(ann, id, wrong);
      expect(refusal).toEqual({ code: 'INVALID_SEED', field: 'clientSeed' });
    }
    const { game } = must(await api.giveClientSeed(ann, id, OLD_SEED));
    expect(game).toMatchObject({ status: 'active', version: 2, fairness: { creatorSeed: 'given' } });
    expect(must(await api.giveClientSeed(ann, id, OLD_SEED)).game).toEqual(game);
    expect(must(await api.events(null, id)).map(({ seq, type }) => [seq, type])).toEqual([[1, 'accept'], [2, 'start']]); // prettier-ignore
    await expectPlayed(game!);
  });

  it('aborts a game whose announced seed never comes, as of its deadline', async () => {
    const { id } = await open(ANNOUNCED, { timeControl: { type: 'perMove', seconds: 3600 } });
    const { deadlineAt } = must(await api.acceptChallenge(ben, id));
    time.forward(3_600_001 + SHOWN_LATE_MS);
    await server.app.get(Referee).sweep();
    expect(must(await api.game(null, id))).toMatchObject({ status: 'aborted', endedAt: deadlineAt });
    expect((await api.giveClientSeed(ann, id, OLD_SEED)).refusal).toEqual({ code: 'GAME_OVER' });
    const events = must(await api.events(null, id)).map(({ type, player }) => [type, player]);
    expect(events).toEqual([['accept', null], ['flag', 'first'], ['end', null]]); // prettier-ignore
  });

  it.each([
    ['a plain seed', PLAIN],
    ['an announced seed', ANNOUNCED],
  ])('never pairs an open seek with %s, and removes it from the lobby', async (_name, seed) => {
    const terms = { ...ownTerms(TERMS), side: 'any' };
    const old = await asBefore(must(await api.createSeek(ann, terms)), seed);
    const other = await asBefore(must(await api.createSeek(ben, terms)), PLAIN);
    const fresh = must(await api.createSeek(cid, terms));
    await server.app.get(SeeksService, { strict: false }).sweep();
    for (const { id } of [old, other, fresh]) {
      expect(must(await api.challenge(null, id))).toMatchObject({ status: 'open', gameId: null });
    }
    const { edges } = must(await api.lobby(ben, { first: 100, acceptable: true }));
    expect(edges.map(({ node }) => node.id)).toContain(old.id);
    const game = must(await api.acceptChallenge(ben, old.id, { clientSeed: newSeed() }));
    const isPlain = seed === PLAIN;
    expect(game).toMatchObject({
      id: old.id,
      status: isPlain ? 'active' : 'pending',
      fairness: { commitment: old.commitment },
    });
    if (!isPlain) must(await api.giveClientSeed(ann, old.id, OLD_SEED));
    must(await api.resign(ben, old.id));
    const ended = await record(old.id);
    expect(ended).not.toHaveProperty('rows');
    expect(verify(ended).filter(({ ok }) => ok === false)).toEqual([]);
    expect(verify(ended).find(({ check }) => check === 'sides')!.ok).not.toBe(false);
    must(await api.cancelChallenge(ben, other.id));
    must(await api.cancelChallenge(cid, fresh.id));
  });
});
