import { LINE_KINDS } from '../../src/features/accounts/own-data.lines.js';
import { DealsStore } from '../../src/engine/deals.store.js';
import { clientSeedHash } from '../../src/fairness/commitment.js';
import { deal } from '../../src/fairness/deal.js';
import { prove } from '../../src/fairness/merkle.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { rulesetById } from '../../src/rules/registry.js';
import { restApi, VERBS } from '../support/api.js';
import { newSeed, seedsOf } from '../support/chosen-deals.js';
import { exported } from '../support/exports.js';
import { ownFile, type OwnFile } from '../support/own-data.js';
import { DAY, perMove, startStopped } from '../support/pair.js';
import { bearer, PASSWORD, type Person, register, renewed } from '../support/people.js';
import { begin, NO_CLOCK, playMoves } from '../support/play.js';
import type { TestServer } from '../support/server.js';
import type { MadeWebhook } from '../support/operations/webhooks.js';
import type { Edges, Game } from '../support/api-types.js';
import { type Answer, type Body, must } from '../support/transport.js';

/** A user's export contains all their data, as the rest of the server shows it, and nothing else. */

const BANQI = { ruleset: 'banqi-taiwan' };
const HIS_NOTE = 'What Ben keeps to himself';
const [HER_SEED, HIS_SEED] = [newSeed(), newSeed()];
const HER_NOTE = 'What Ann keeps to herself\nin two lines';

let server: TestServer;
let ann: Person;
let ben: Person;
let cid: Person;
let dot: Person;
let file: OwnFile;
let hooks: readonly MadeWebhook[];
const games: Record<string, string> = {};

const api = () => restApi(server.http);
const db = () => server.app.get(PrismaService).db;
const HUNDRED = { first: 100 };
/** The nodes of a list that fits on one page. */
function nodes<Node>(answer: Answer<Edges<Node> | null>): readonly Node[] {
  const { edges, pageInfo } = must(answer)!;
  expect(pageInfo.hasNextPage).toBe(false);
  return edges.map(({ node }) => node);
}
const inJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const ids = (rows: readonly Body[]): unknown[] => rows.map(({ id }) => id).sort();

beforeAll(async () => {
  const [started, time] = await startStopped();
  server = started;
  [ann, ben, cid, dot] = [await register(server.http, 'ann'), await register(server.http, 'ben'), await register(server.http, 'cid'), await register(server.http, 'dot')]; // prettier-ignore
  const wait = async () => {
    time.forward(15 * DAY);
    const all = await Promise.all([ann, ben, cid, dot].map((one) => renewed(server.http, one)));
    [ann, ben, cid, dot] = all as [Person, Person, Person, Person];
  };
  await challenges(wait);
  await played();
  await around();
  hooks = [must(await api().createWebhook(ann, { url: 'https://hooks.example/', types: ['game.end'] }))];
  must(await api().createWebhook(ben, { url: 'https://other.example/' }));
  file = await ownFile(server.http, ann);
});
afterAll(() => server.close());

/** One of each kind, with each end. */
async function challenges(wait: () => Promise<void>): Promise<void> {
  const invite = async (by: Person, opponent: Person | null, more: Body = {}) =>
    must(await api().createChallenge(by, { ruleset: 'chess', timeControl: NO_CLOCK, ...(opponent && { opponent: opponent.username }), ...more })).id; // prettier-ignore
  await invite(ann, ben);
  await wait();
  must(await api().giveClientSeed(ann, await invite(ann, ben), HER_SEED));
  must(await api().giveClientSeed(ben, await invite(ben, ann), HIS_SEED));
  await invite(ann, null);
  must(await api().declineChallenge(ben, await invite(ann, ben), 'later'));
  must(await api().cancelChallenge(ann, await invite(ann, cid)));
  must(await api().counterChallenge(ann, await invite(ben, ann), { ruleset: 'xiangqi', timeControl: NO_CLOCK })); // prettier-ignore
  must(await api().createSeek(ann, { ruleset: 'xiangqi', timeControl: NO_CLOCK }));
  await invite(ben, cid);
}

async function played(): Promise<void> {
  const [first, second] = [ann, ben];
  const start = async (name: string, terms: Body = {}, moves: readonly string[] = [], accept: Body = {}) => {
    const game = await begin(api(), ann, ben, terms, accept);
    games[name] = game.id;
    return playMoves(api(), game, moves, { first, second });
  };
  const rated = await start('rated', { ...perMove(86_400), rated: true }, ['e2e4', 'e7e5', 'g1f3']);
  must(await api().resign(ben, rated.id));
  const taken = await start('taken', {}, ['e2e4', 'e7e5']);
  must(await api().plain(ann, 'offerTakeback', taken.id));
  const back = must(await api().plain(ben, 'acceptTakeback', taken.id));
  const on = await playMoves(api(), back, ['d2d4'], { first, second });
  must(await api().setConditionalMoves(ann, on.id, [{ when: 'd7d5', reply: 'c2c4' }]));
  const his = await start('his plan', {}, ['e2e4', 'e7e5']);
  must(await api().setConditionalMoves(ben, his.id, [{ when: 'b1c3', reply: 'g8f6' }]));
  await start('face-down', BANQI, ['a1', 'b1', 'c1']);
  must(await api().resign(ann, (await start('shown', BANQI, ['a1', 'b1'])).id));
  await start('pending', { ...BANQI, clientSeedHash: clientSeedHash(newSeed()) });
  must(await api().abort(ann, (await start('called off', { ...BANQI, clientSeedHash: clientSeedHash(newSeed()) })).id)); // prettier-ignore
  await begin(api(), ben, ann);
  games['of others'] = (await begin(api(), ben, cid)).id;
}

async function around(): Promise<void> {
  const { rated, taken } = games as Record<string, string> & { rated: string; taken: string };
  for (const by of [ann, ben, ann]) must(await api().sendMessage(by, rated, `From ${by.username}`));
  must(await api().setNote(ann, rated, HER_NOTE));
  must(await api().setNote(ben, rated, HIS_NOTE));
  must(await api().muteOpponent(ann, taken, true));
  must(await api().muteOpponent(ben, rated, true));
  must(await api().confirmPassword(ann, PASSWORD));
  must(await api().changeEmail(ann, 'ann@example.org'));
  must(await api().blockUser(ann, cid.username));
  must(await api().blockUser(dot, ann.username));
  const now = Date.now() + 30 * DAY;
  const off = must(await api().planVacation(ann, { startsAt: new Date(now).toISOString(), days: 3 }));
  must(await api().endVacation(ann, off.id));
  must(await api().planVacation(ann, { startsAt: new Date(now + 9 * DAY).toISOString(), days: 2 }));
  must(await api().planVacation(ben, { startsAt: new Date(now).toISOString(), days: 1 }));
  for (const by of [ann, ben]) {
    const text = `[Event "Of ${by.username}"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n`;
    must(await api().importGames(by, { text }));
  }
  const session = must(await api().login(null, { username: ann.username, password: PASSWORD }));
  await api().logout(bearer(session));
}

test('is a file of lines, from a header to an end mark', () => {
  const { status, type, disposition, lines } = file;
  expect([status, type]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  expect(disposition).toBe(`attachment; filename="halfmove-${ann.username}.ndjson"`);
  const kinds = lines.map(({ kind }) => kind);
  expect([...new Set(kinds)]).toEqual(LINE_KINDS);
  expect(kinds).toEqual([...kinds].sort((a, b) => LINE_KINDS.indexOf(a) - LINE_KINDS.indexOf(b)));
  expect(lines[0]!.data).toEqual({
    ...{ format: 'halfmove-own-data', version: 1, at: expect.stringMatching(/^\d{4}-.+Z$/) },
    of: { id: ann.id, username: ann.username },
  });
  expect(lines.at(-1)).toEqual({ kind: 'end', data: { lines: lines.length } });
});

test('contains the webhooks, without their secrets', () => {
  expect(file.of('webhook')).toEqual(hooks.map(({ webhook }) => webhook));
  expect(file.text).not.toContain(hooks[0]!.secret);
});

test('contains the profile and the sessions', async () => {
  const me = must(await api().me(ann));
  const account = must(await api().myAccount(ann));
  expect(account.pendingEmail).toBe('ann@example.org');
  expect(file.of('profile')).toEqual([{ ...me, ...account }]);
  expect(me).toMatchObject({ createdAt: expect.any(String), challengesFrom: 'everybody' });
  const sessions = await db().session.findMany({ where: { userId: ann.id }, orderBy: { id: 'asc' } });
  expect(file.of('session')).toEqual(
    sessions.map(({ kind, name, device, createdAt, lastUsedAt, expiresAt, revokedAt }, i) =>
      inJson({ kind, name, device, createdAt, lastUsedAt, expiresAt, endedAt: revokedAt, current: i === 0 }),
    ),
  );
  expect(file.of('session').map(({ endedAt }) => endedAt === null)).toEqual([true, false]);
});

test('contains the ratings and every point of their histories', async () => {
  const ratings = must(await api().ratings(null, ann.username));
  expect(file.of('rating')).toEqual(ratings);
  const points = nodes(await api().ratingHistory(null, ann.username, 'chess', HUNDRED));
  expect(file.of('ratingPoint')).toEqual(points.map((point) => ({ pool: ratings![0]!.pool, ...point })));
  expect(points).toHaveLength(1);
});

test('contains blocks, vacations and notifications', async () => {
  expect(file.of('block')).toEqual([
    { createdAt: expect.any(String), user: must(await api().user(ann, cid.username)) },
  ]);
  const vacations = await db().vacation.findMany({ where: { userId: ann.id }, orderBy: { startsAt: 'asc' } });
  expect(file.of('vacation').map(({ id, days, status }) => [id, days, status])).toEqual(
    vacations.map(({ id, days }) => [id, days, days === 0 ? 'calledOff' : 'planned']),
  );
  expect(vacations.map(({ days }) => days)).toEqual([0, 2]);
  expect(file.of('notification')).toEqual(nodes(await api().notifications(ann, HUNDRED)));
});

test('contains the imported games', async () => {
  const { games: shown } = must(await api().myImportedGames(ann));
  const plies = nodes(await api().importedMoves(ann, shown[0]!.id, HUNDRED));
  const moves = plies.map(({ ply: _, ...ply }) => ply);
  expect(file.of('import')).toEqual(shown.map((game) => ({ ...game, plies: moves })));
  expect(moves.map(({ move }) => move)).toEqual(['f2f3', 'e7e5', 'g2g4', 'd8h4']);
  expect(file.text).not.toContain(`Of ${ben.username}`);
});

test('contains challenges and seeks, however they ended', async () => {
  const rows = await db().challenge.findMany({ where: { OR: [{ creatorId: ann.id }, { opponentId: ann.id }] } }); // prettier-ignore
  const found = file.of('challenge');
  expect(ids(found)).toEqual(ids(rows));
  for (const row of rows) {
    const own = row.creatorId === ann.id ? { clientSeed: row.creatorClientSeed } : {};
    const shown = must(await api().challenge(ann, row.id));
    expect(found.find(({ id }) => id === row.id)).toEqual({ ...shown, ...own });
  }
  const statuses = ['open', 'accepted', 'declined', 'countered', 'cancelled', 'expired'];
  expect([...new Set(found.map(({ status }) => status))].sort()).toEqual(statuses.sort());
  expect([...new Set(found.map(({ kind }) => kind))].sort()).toEqual(['direct', 'link', 'seek']);
  expect(found.map(({ clientSeed }) => clientSeed)).toContain(HER_SEED);
});

test('contains every game, as far as the user may see it', async () => {
  const rows = await db().game.findMany({ where: { OR: [{ firstId: ann.id }, { secondId: ann.id }] } });
  const found = file.of('game');
  expect(ids(found)).toEqual(ids(rows));
  expect(found.map(({ createdAt }) => createdAt)).toEqual(found.map(({ createdAt }) => createdAt).sort());
  for (const { id, sidesBy } of rows) {
    const game = must(await api().game(ann, id));
    expect(found.find((each) => each['id'] === id)).toEqual({
      ...{ ...game, sidesDrawn: sidesBy === 'seeds' },
      viewer: {
        seat: game.viewer!.seat,
        conditionalMoves: must(await api().conditionalMoves(ann, id)),
        note: must(await api().note(ann, id)),
        opponentMuted: must(await api().opponentMuted(ann, id)),
      },
      events: must(await api().events(ann, id)),
      plies: nodes(await api().moves(ann, id, { ...HUNDRED, takenBack: true })),
      messages: nodes(await api().messages(ann, id, HUNDRED)),
    });
  }
  const of = (name: string) => found.find(({ id }) => id === games[name])!;
  expect(of('rated')).toMatchObject({
    viewer: { note: HER_NOTE, opponentMuted: false },
    messages: [{}, {}, {}],
  });
  expect(of('taken')).toMatchObject({
    viewer: { note: null, opponentMuted: true, conditionalMoves: [{ when: 'd7d5' }] },
  });
  expect((of('taken')['plies'] as Body[]).map(({ takenBack }) => takenBack)).toEqual([true, true, false]);
  expect([of('pending')['status'], of('called off')['status']]).toEqual(['pending', 'aborted']);
});

test('contains the public record of an ended game, which can be verified', async () => {
  const over = file.of('game').filter(({ status }) => status === 'finished');
  expect(over).toHaveLength(2);
  for (const game of over) {
    const record = must(await api().record(ann, String(game['id'])));
    const { id, outcome, rows, serverSeed, players } = record;
    expect(game).toMatchObject({ id, outcome, fairness: { serverSeed } });
    expect(game['players']).toMatchObject([{ player: players.first }, { player: players.second }]);
    expect(serverSeed).toMatch(/^[0-9a-f]{64}$/);
    // Each row of the chain is in the file, as an event or as a ply.
    const events = game['events'] as readonly Body[];
    const plies = game['plies'] as readonly Body[];
    for (const row of rows as readonly Body[]) {
      if (row['type'] !== 'ply') expect(events).toContainEqual(row);
      else {
        const { data, seq, player, at, previousHash, hash } = row;
        expect(plies).toContainEqual(
          expect.objectContaining({ ...(data as Body), seq, player, playedAt: at, previousHash, hash }),
        );
      }
    }
    expect(events.length + plies.length).toBe((rows as readonly Body[]).length);
    expect(holds(verify(record))).toBe(true);
  }
});

test('contains nothing that lies face-down in a running game', async () => {
  const game = file.of('game').find(({ id }) => id === games['face-down']) as unknown as Game;
  const ruleset = rulesetById(game.ruleset.id)!;
  const serverSeed = await server.app.get(DealsStore).seed(game.id);
  const text = deal(ruleset, seedsOf(game, serverSeed))!;
  const sealed = { gameId: game.id, serverSeed, board: ruleset.board, deal: text } as const;
  for (const form of ['hex', 'base64', 'base64url'] as const)
    expect(file.text).not.toContain(serverSeed.toString(form));
  expect(file.text).not.toContain(text.slice(3, 9));
  expect(game.fairness.serverSeed).toBeNull();
  const squares = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((column) => [1, 2, 3, 4].map((row) => `${column}${row}`)); // prettier-ignore
  const known = squares.filter(
    (square) => isSquare(square) && file.text.includes(prove(sealed, square).salt),
  );
  expect(known).toEqual(['a1', 'b1', 'c1']);

  function isSquare(square: string): boolean {
    const column = square.charCodeAt(0) - 97;
    return column < ruleset.board.files && Number(square[1]) <= ruleset.board.ranks;
  }
});

test('contains of others only what is public or addressed to the user, and no secret', async () => {
  const secrets = [
    HIS_NOTE,
    HIS_SEED,
    dot.id,
    dot.username,
    games['of others']!,
    '"b1c3"',
    'rgon2',
    'passwordHash',
  ];
  const tokens = await db().refreshToken.findMany();
  for (const secret of [...secrets, ...tokens.map(({ hash }) => hash)])
    expect(file.text).not.toContain(secret);
  const seeds = file.of('challenge').filter(({ creator }) => (creator as Body)['id'] === ben.id);
  expect(seeds.length).toBeGreaterThan(1);
  for (const challenge of seeds) expect(challenge).not.toHaveProperty('clientSeed');
  const his = await ownFile(server.http, ben);
  expect(his.text).not.toContain('keeps to herself');
  const of = (name: string) => his.of('game').find(({ id }) => id === games[name])!;
  expect(of('rated')).toMatchObject({ viewer: { note: HIS_NOTE, opponentMuted: true } });
  expect(of('his plan')).toMatchObject({ viewer: { conditionalMoves: [{ when: 'b1c3' }] } });
  expect(of('taken')).toMatchObject({
    viewer: { note: null, opponentMuted: false, conditionalMoves: null },
  });
  expect(his.of('block')).toEqual([]);
  expect(his.of('game').map(({ id }) => id)).toContain(games['of others']);
});

test('requires a session', async () => {
  expect(await exported(server.http, VERBS.exportOwnData.rest())).toMatchObject({
    status: 401,
    code: 'UNAUTHENTICATED',
  });
});
