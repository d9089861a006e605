import {
  createClient,
  type Halfmove,
  operations,
  type ProofNotice,
  type ProofStore,
} from '../../packages/client/src/client.js';
import { receiptOf } from '../../packages/client/src/proof/receipt.js';
import { rechained } from '../fairness/made.js';
import { data, field } from '../fairness/tampering/tampering.js';
import type { GameRecord } from '../../src/fairness/record.js';
import { LogService } from '../../src/features/transparency/log.service.js';
import { Cheat } from '../support/cheat.js';
import { registerClient } from '../support/clients.js';
import { startDroppingProxy } from '../support/dropping-proxy.js';
import { startServer, type TestServer } from '../support/server.js';

/** What the client keeps and gives by itself, and what it tells when a server cheats: its users do nothing but use it. */

let server: TestServer;
let cheat: Cheat;
beforeAll(async () => {
  server = await startServer();
  cheat = new Cheat(server);
});
afterAll(() => server.close());

interface User {
  readonly halfmove: Halfmove;
  readonly username: string;
  readonly notices: ProofNotice[];
  readonly texts: Map<string, string>;
}

const storeIn = (texts: Map<string, string>): ProofStore => ({
  getItem: (key) => texts.get(key) ?? null,
  setItem: (key, value) => texts.set(key, value),
  removeItem: (key) => texts.delete(key),
});

async function user(name: string): Promise<User> {
  const [notices, texts]: [ProofNotice[], Map<string, string>] = [[], new Map()];
  const proofs = { store: storeIn(texts), onNotice: (notice: ProofNotice) => void notices.push(notice) };
  return { ...(await registerClient(server.url, name, { proofs })), notices, texts };
}

const pair = async () => [await user('ann'), await user('ben')] as const;
const NONE = { none: {} };

/** A game of the rule set from a challenge of the first user, who begins. */
async function begun([ann, ben]: readonly [User, User], ruleset = 'chess') {
  const input = { ruleset, opponent: { username: ben.username }, seat: 'FIRST', timeControl: NONE } as const;
  const { createChallenge } = await ann.halfmove.graphql(operations.createChallenge, { input });
  const { id } = createChallenge.challenge;
  await ben.halfmove.graphql(operations.acceptChallenge, { input: { id } });
  return id;
}

const move = ({ halfmove }: User, gameId: string, ply: number, text: string) =>
  halfmove.graphql(operations.makeMove, { input: { gameId, ply, move: text } });
const resign = ({ halfmove }: User, gameId: string) =>
  halfmove.graphql(operations.resign, { input: { gameId } });
const look = ({ halfmove }: User, id: string) => halfmove.graphql(operations.game, { id });
const recordOf = async (id: string): Promise<GameRecord> =>
  (await (await fetch(`${server.url}/v1/games/${id}/record`)).json()) as GameRecord;
const logged = () => server.app.get(LogService).append();

/** Replaces the stored record by a changed one with all hashes recomputed. */
async function forge(id: string, change: (record: GameRecord) => GameRecord): Promise<void> {
  const record = change(await recordOf(id));
  const end = record.rows.find(({ type }) => type === 'end');
  const outcome = end === undefined ? null : (end.data as unknown as GameRecord['outcome']);
  await cheat.rewrite({ ...rechained(record, record.rows), outcome });
}

const codesOf = ({ notices }: User) => notices.map(({ code }) => code);

/** What was checked and what was not, by the names of the checks. */
async function checked({ halfmove }: User, id: string) {
  const { verdict, findings } = await halfmove.verify(id);
  const of = (wanted: boolean | null) => [
    ...new Set(
      findings.filter(({ ok, isOpen }) => ok === wanted && (ok !== null || isOpen)).map(({ check }) => check),
    ),
  ];
  return { verdict, failed: of(false), open: of(null) };
}
const HOLDS = { verdict: 'holds', failed: [], open: [] };

describe.each(['GraphQL', 'REST'])('who uses nothing but the client over %s', (transport) => {
  const isRest = transport === 'REST';

  test('has given a seed and holds all that proves a game of a challenge', async () => {
    const players = await pair();
    const [ann, ben] = players;
    let id: string;
    if (isRest) {
      const body = { ruleset: 'half-chess', opponent: { username: ben.username }, timeControl: NONE };
      const opened = await ann.halfmove.rest.POST('/v1/challenges', { body });
      expect(opened.response.status).toBe(201);
      ({ id } = opened.data.challenge);
      await ben.halfmove.rest.POST('/v1/challenges/{id}/accept', { params: { path: { id } }, body: {} });
      await ann.halfmove.rest.POST('/v1/games/{id}/abort', { params: { path: { id } } });
    } else {
      id = await begun(players, 'half-chess');
      await ann.halfmove.graphql(operations.abort, { input: { gameId: id } });
    }
    await look(ben, id);
    await logged();
    const start = (await recordOf(id)).rows.find(({ type }) => type === 'start')!.data as Record<
      string,
      unknown
    >;
    expect([start['creatorSeed'], start['accepterSeed']]).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
    for (const [player, role] of [
      [ann, 'creator'],
      [ben, 'accepter'],
    ] as const) {
      expect(await player.halfmove.proof(id)).toMatchObject({ role, end: expect.stringContaining('\noutcome aborted nobody\n') as string }); // prettier-ignore
      expect(await checked(player, id)).toEqual(HOLDS);
      expect(player.notices).toEqual([]);
    }
  });

  test('has given a seed to a seek that is paired at once, and to one that waits', async () => {
    const [ann, ben] = await pair();
    const terms = { ruleset: 'half-chess', timeControl: { perMove: { seconds: 86_400 } } };
    const seek = async ({ halfmove }: User) =>
      isRest
        ? (await halfmove.rest.POST('/v1/seeks', { body: terms })).data
        : (await halfmove.graphql(operations.createSeek, { input: terms })).createSeek;
    expect(await seek(ann)).toMatchObject({ game: null });
    // The answer shows the game that has begun, not the one that waited for a seed.
    const { game } = await seek(ben);
    expect(game!.status.toLowerCase()).toBe('active');
    const { id } = game!;
    await look(ann, id);
    await ann.halfmove.rest.POST('/v1/games/{id}/abort', { params: { path: { id } } });
    await look(ben, id);
    await logged();
    for (const player of [ann, ben]) {
      expect(await checked(player, id)).toEqual(HOLDS);
      expect(player.notices).toEqual([]);
    }
  });
});

test('finds receipts in the answers to documents of the user and in events, but not in what others write', async () => {
  const [ann, ben] = await pair();
  const id = await begun([ann, ben]);
  const { proof } = ann.halfmove;
  const events = ann.halfmove.gameEvents(id);
  await events.opened;
  await move(ben, id, 2, 'e7e5').catch(() => undefined);
  const aliased = 'query ($id: ID!) { mine: game(id: $id) { proofs: fairness { text: receipt } } }';
  await move(ann, id, 1, 'e2e4');
  await ben.halfmove.graphql(aliased, { id });
  const newest = (await proof(id))!.newest!;
  expect((await ben.halfmove.proof(id))!.newest).toBe(newest);
  const forged = newest.replace(/version \d+/, 'version 99');
  await ben.halfmove.graphql(operations.sendMessage, { input: { gameId: id, text: `${forged}` } }).catch(() => undefined); // prettier-ignore
  await ann.halfmove.rest.GET('/v1/games/{id}/messages', { params: { path: { id } } });
  expect((await proof(id))!.newest).toBe(newest);
  expect([...codesOf(ann), ...codesOf(ben)]).toEqual([]);
  await resign(ben, id);
  for await (const { type } of events) if (type === 'end') break;
  expect((await proof(id))!.end).toContain('\noutcome resignation first\n');
});

test('acts by REST on what was seen, also where it accepts an offer', async () => {
  const [ann, ben] = await pair();
  const id = await begun([ann, ben]);
  const path = { params: { path: { id } } };
  const offered = await ann.halfmove.rest.POST('/v1/games/{id}/pause', path);
  expect(offered.data.game.offers.pause).not.toBeNull();
  await look(ben, id);
  await ben.halfmove.rest.POST('/v1/games/{id}/pause/accept', path);
  await ann.halfmove.rest.POST('/v1/games/{id}/unpause', path);
  const { game } = (await ben.halfmove.rest.POST('/v1/games/{id}/unpause', path)).data;
  expect(receiptOf((await ben.halfmove.proof(id))!.newest!)!.version).toBe(game.version);
  const acted = await ann.halfmove.rest.POST('/v1/games/{id}/resign', { ...path, body: { version: 0 } }).catch((error: unknown) => error); // prettier-ignore
  // What the program guards itself is sent as it is.
  expect(acted).toMatchObject({ code: 'STALE_VERSION', field: 'version' });
});

interface Opened {
  readonly opened: { readonly challenge: { readonly id: string } };
}

test('gives the seed of a challenge that a document of several fields opens, and does the others once', async () => {
  const [ann, ben] = await pair();
  const input = { ruleset: 'chess', opponent: { username: ben.username }, timeControl: NONE };
  const document = `mutation ($input: CreateChallengeInput!) {
    opened: createChallenge(input: $input) { challenge { id clientSeedHash } }
    updateProfile(input: { displayName: "Ann ${Date.now()}" }) { user { displayName } }
  }`;
  const only = `mutation ($input: CreateChallengeInput!) {
    opened: createChallenge(input: $input) { ... on CreateChallengePayload { challenge { id } } }
  }`;
  for (const each of [document, only]) {
    const { opened } = await ann.halfmove.graphql<Opened, { input: object }>(each, { input });
    const { data } = await ann.halfmove.rest.GET('/v1/challenges/{id}', { params: { path: { id: opened.challenge.id } } }); // prettier-ignore
    expect(data.clientSeedHash).toMatch(/^[0-9a-f]{64}$/);
  }
});

test('keeps no token, and few bytes a game', async () => {
  const [ann, ben] = await pair();
  const id = await begun([ann, ben], 'half-chess');
  await resign(ben, id);
  await look(ann, id);
  await ann.halfmove.proof(id);
  const kept = [...ann.texts.values()].join('\n');
  const { accessToken, refreshToken } = ann.halfmove.session!;
  for (const secret of [accessToken, refreshToken!]) expect(kept).not.toContain(secret);
  const bytes = ann.texts.get(`halfmove-proof ${server.url} ${id}`)!.length;
  expect(bytes).toBeLessThan(4000);
});

test('an act on an older version is sent again on the newer one that goes on from it', async () => {
  const [ann, ben] = await pair();
  const id = await begun([ann, ben]);
  const other = createClient({ url: server.url, session: ann.halfmove.session, proofs: null });
  await other.graphql(operations.makeMove, { input: { gameId: id, ply: 1, move: 'e2e4' } });
  const { makeMove } = await move(ben, id, 2, 'e7e5');
  expect(makeMove.game.plyCount).toBe(2);
  expect(codesOf(ben)).toEqual([]);
});

describe('a server that', () => {
  test('takes back what it has shown is told before the next act, which is not sent', async () => {
    const [ann, ben] = await pair();
    const id = await begun([ann, ben]);
    await move(ann, id, 1, 'e2e4');
    await move(ben, id, 2, 'e7e5');
    await forge(id, data('ply', { timeUsed: 1 }, 1));
    await expect(move(ben, id, 4, 'd7d5')).rejects.toMatchObject({ code: 'CONTRADICTION' });
    expect(codesOf(ben)).toEqual(['CONTRADICTION']);
    const [one, other] = ben.notices[0]!.receipts;
    expect(one).not.toBe(other);
    expect((await ben.halfmove.proof(id))!.contradictions).toEqual([[one, other]]);
    // Told once, and the game goes on when the user says so.
    await expect(resign(ben, id)).rejects.toMatchObject({ code: 'CONTRADICTION' });
    expect(codesOf(ben)).toEqual(['CONTRADICTION']);
    await ben.halfmove.goOn(id);
    expect((await resign(ben, id)).resign.game.outcome).toMatchObject({ winner: 'FIRST' });
  });

  test('goes on from another course than the one that it has shown is told when the newer state is seen', async () => {
    const [ann, ben] = await pair();
    const id = await begun([ann, ben]);
    await move(ann, id, 1, 'e2e4');
    await forge(id, data('ply', { timeUsed: 1 }));
    const { session } = ben.halfmove;
    const other = createClient({ url: server.url, session, proofs: null });
    await other.graphql(operations.makeMove, { input: { gameId: id, ply: 2, move: 'e7e5' } });
    await look(ann, id);
    await ann.halfmove.proof(id);
    expect(codesOf(ann)).toEqual(['CONTRADICTION']);
  });

  test('turns the end round is told to the one who looks again, and by the check of the game', async () => {
    const [ann, ben] = await pair();
    const id = await begun([ann, ben]);
    await move(ann, id, 1, 'e2e4');
    await resign(ann, id);
    await forge(id, (record) =>
      data('end', { winner: 'first' })(field('resign', { player: 'second' })(record)),
    );
    await logged();
    expect(await checked(ann, id)).toMatchObject({ verdict: 'failed', failed: ['receipt'] });
    await look(ann, id);
    await ann.halfmove.proof(id);
    expect(codesOf(ann)).toEqual(['CONTRADICTION']);
  });

  test('turns the end round before it is in the log is told without asking', async () => {
    const [ann, ben] = await pair();
    const id = await begun([ann, ben]);
    await move(ann, id, 1, 'e2e4');
    await resign(ann, id);
    await ann.halfmove.proof(id);
    await forge(id, (record) =>
      data('end', { winner: 'first' })(field('resign', { player: 'second' })(record)),
    );
    await logged();
    for (let tries = 0; tries < 600 && ann.notices.length === 0; tries++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(codesOf(ann)).toEqual(['CHECK_FAILED']);
    expect(ann.notices[0]!.message).toContain('differs from the record in');
    expect((await ann.halfmove.proof(id))!.verdict).toBe('failed');
  });

  test('draws its seed again once it knows the seed of the creator is told to the creator', async () => {
    const [ann, ben] = await pair();
    const input = { ruleset: 'half-chess', opponent: { username: ben.username }, timeControl: NONE } as const;
    const { createChallenge } = await ann.halfmove.graphql(operations.createChallenge, { input });
    const { id } = createChallenge.challenge;
    await cheat.reseed(id);
    await ben.halfmove.graphql(operations.acceptChallenge, { input: { id } });
    await look(ann, id);
    await ann.halfmove.proof(id);
    expect(codesOf(ann)).toEqual(['CONTRADICTION']);
    expect(codesOf(ben)).toEqual([]);
  });

  test('drops a challenge that it has signed fails the check of it', async () => {
    const [ann, ben] = await pair();
    const opponent = { username: ben.username };
    const input = { ruleset: 'half-chess', opponent, timeControl: NONE } as const;
    const { createChallenge } = await ann.halfmove.graphql(operations.createChallenge, { input });
    const { id } = createChallenge.challenge;
    await cheat.forget(id);
    await logged();
    const { verdict, findings } = await ann.halfmove.verify(id);
    expect([verdict, findings.filter(({ ok }) => ok === false)]).toEqual([
      'failed',
      [{ check: 'log', ok: false, detail: expect.stringContaining('has signed') as string }],
    ]);
  });

  test('signs with a key that it has not shown before is told once', async () => {
    const [ann, ben] = await pair();
    await begun([ann, ben]);
    await ann.halfmove.proof('');
    const name = `halfmove-proof ${server.url} keys`;
    const { known } = JSON.parse(ann.texts.get(name)!) as { readonly known: readonly string[] };
    ann.texts.set(name, JSON.stringify({ known: known.filter((key) => key.includes('/log')) }));
    const id = await begun([ann, ben]);
    await look(ann, id);
    await ann.halfmove.proof(id);
    expect(codesOf(ann)).toEqual(['CHANGED_KEY']);
  });
});

test('an announced seed arrives although the answer to the opening was lost', async () => {
  const [ann, ben] = await pair();
  const proxy = await startDroppingProxy(server.url);
  try {
    const texts = new Map<string, string>();
    const options = { session: ann.halfmove.session, retries: 0, proofs: { store: storeIn(texts) } };
    const cut = createClient({ url: proxy.url, ...options });
    const terms = { ruleset: 'half-chess', timeControl: { perMove: { seconds: 90_000 } } };
    proxy.dropAnswersTo('createSeek', 1);
    await expect(cut.graphql(operations.createSeek, { input: terms })).rejects.toMatchObject({ code: 'NO_ANSWER' }); // prettier-ignore
    const { createSeek } = await ben.halfmove.graphql(operations.createSeek, { input: terms });
    const { id } = createSeek.game!;
    // It waits for the seed whose announcement was not answered.
    expect(createSeek.game!.status).toBe('PENDING');
    await cut.graphql(operations.game, { id });
    for (
      let tries = 0;
      tries < 100 && (await recordOf(id)).rows.every(({ type }) => type !== 'start');
      tries++
    )
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await recordOf(id)).rows.map(({ type }) => type)).toContain('start');
  } finally {
    await proxy.close();
  }
});
