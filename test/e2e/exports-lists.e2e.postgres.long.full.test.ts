import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { formatsOf, write } from '../../src/formats/formats.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { rulesets } from '../../src/rules/registry.js';
import { restApi, VERBS } from '../support/api.js';
import { exported, gamesIn, type Sent } from '../support/exports.js';
import { BEGINNING, type Made, people, population } from '../support/history-rows.js';
import { FULL, rounds } from '../support/scale.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { fewestStatements, statementsOf } from '../support/statements.js';
import { addressOf, type Body, type Rest } from '../support/transport.js';

/** Streams of finished games: each once, in order, resumable anywhere, and no faster than they are read. */
// Long: it plays many random cases.
// Both databases: a stream reads on a cursor of its own connection.

const NAMES = ['ann', 'ben', 'cid', 'dot'];
const MANY = 500;

let server: TestServer;
let all: readonly Made[];

beforeAll(async () => {
  server = await startServer(SHARED_SETTINGS);
  const { db } = server.app.get(PrismaService);
  const users = await people(db, NAMES);
  const made = await population(db, users, MANY, 11);
  all = made.filter(({ endedAt }) => endedAt !== null).sort(byEnd);
  // Aborted before it started: not exported.
  const aborted = all.find(({ status }) => status === 'aborted')!;
  await db.game.update({
    where: { id: aborted.id },
    data: { creator: 'second', firstClientSeed: null, accepterSeedHash: 'a seed that never came' },
  });
  all = all.filter(({ id }) => id !== aborted.id);
});
afterAll(() => server.close());

const byEnd = (a: Made, b: Made): number =>
  a.endedAt!.getTime() - b.endedAt!.getTime() || (a.id < b.id ? -1 : 1);
const idsOf = (games: readonly { readonly id: string | null }[]) => games.map(({ id }) => id);
type List = (asked?: Body) => Rest;
const exportGamesOf =
  (username: string): List =>
  (asked) =>
    VERBS.exportGamesOf.rest(username, asked);
const allGames: List = (asked) => VERBS.exportGames.rest(asked);
const list = (of: List, asked?: Body): Promise<Sent> => exported(server.http, of(asked));
const ids = async (of: List, asked?: Body) => idsOf(gamesIn((await list(of, asked)).text));

const LISTS = [
  ['exports/games', allGames, () => true],
  ['users/ben/games', exportGamesOf('ben'), ({ first, second }: Made) => first === 'ben' || second === 'ben'],
] as const;

describe.each(LISTS)('%s', (_, of, isMeant) => {
  let meant: readonly Made[];
  beforeAll(() => {
    meant = all.filter(isMeant);
  });

  test('contains every finished game, ordered by end', async () => {
    const { status, type, disposition, text } = await list(of);
    expect([status, type]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    expect(disposition).toMatch(/^attachment; filename="halfmove-(games|ben)\.ndjson"$/);
    const lines = text.split('\n');
    expect(lines.pop()).toBe('');
    const games = gamesIn(text);
    expect(lines).toHaveLength(games.length);
    expect(idsOf(games)).toEqual(idsOf(meant));
    expect(games.map(({ plies }) => plies.map(({ move }) => move))).toEqual(meant.map(({ moves }) => moves));
    expect(games.map(({ outcome }) => outcome)).toEqual(
      meant.map(({ winner, reason }) => ({ winner, reason })),
    );
  });

  test.each(FULL ? [1, 7, 99, 100, 101, 250] : [7, 100])(
    'resumes after any game: %d at a time',
    async (max) => {
      const found: (string | null)[] = [];
      for (;;) {
        const page = await ids(of, { max, ...(found.length === 0 ? {} : { after: found.at(-1) }) });
        expect(page.length).toBeLessThanOrEqual(max);
        found.push(...page);
        if (page.length < max || (max === 1 && found.length === 12)) break;
      }
      expect(found).toEqual(idsOf(meant).slice(0, found.length));
      if (max > 1) expect(found).toHaveLength(meant.length);
    },
  );

  test('since and until compare the end, since inclusive and until exclusive', async () => {
    const [a, b] = [meant[20]!.endedAt!, meant[meant.length - 20]!.endedAt!];
    const within = meant.filter(({ endedAt }) => endedAt! >= a && endedAt! < b);
    expect(within.length).toBeGreaterThan(20);
    const between = { since: a.toISOString(), until: b.toISOString() };
    expect(await ids(of, between)).toEqual(idsOf(within));
    const after = within[9]!.id;
    expect(await ids(of, { ...between, after, max: 5 })).toEqual(idsOf(within.slice(10, 15)));
    expect(await ids(of, { since: new Date(BEGINNING + 1e9).toISOString() })).toEqual([]);
  });

  test.each(rulesets().map(({ id }) => id))('contains only %s', async (ruleset) => {
    expect(await ids(of, { ruleset })).toEqual(idsOf(meant.filter((game) => game.ruleset === ruleset)));
  });

  test.each(['pgn', 'wxf', 'iccs', 'text'] as const)('%s selects the games that have it', async (format) => {
    const having = meant.filter(({ ruleset }) => formatsOf(ruleset).some(({ id }) => id === format));
    const { text, type, disposition } = await list(of, { format });
    expect(type).toContain(format === 'text' ? 'text/plain' : 'application/vnd.chess-pgn');
    expect(disposition).toContain(format === 'text' ? '.txt"' : '.pgn"');
    const games = gamesIn(text, format);
    expect(idsOf(games)).toEqual(idsOf(having));
    const others = rulesets().filter(({ id }) => !formatsOf(id).some((each) => each.id === format));
    const missing = others.map(({ id }) => id).filter((id) => meant.some(({ ruleset }) => ruleset === id));
    const end = [
      `% Games of other rule sets cannot be written in this format and are left out: ${missing.join(', ')}.`,
      `% With format=ndjson they are all in http://localhost:${new URL(server.url).port}/v1/exports/games.`,
    ];
    expect(games.map((game) => `${write(game, format)}\n`).join('') + `${end.join('\n')}\n`).toBe(text);
    const half = await ids(of, { format, max: 10 });
    expect([...half, ...(await ids(of, { format, after: half.at(-1) }))]).toEqual(idsOf(having));
  });
});

test('contains the requested fields per line', async () => {
  const { text } = await list(allGames, { fields: 'id,outcome', max: 2 });
  const lines = all.slice(0, 2).map(({ id, winner, reason }) => ({
    ...{ format: 'halfmove-game', version: 1, id },
    outcome: { winner, reason },
  }));
  expect(text).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const whole = (await list(allGames, { max: 1 })).text;
  const { tags: _tags, fairness: _fairness, ...rest } = JSON.parse(whole) as Body;
  expect((await list(allGames, { fields: '-tags,-fairness', max: 1 })).text).toBe(
    `${JSON.stringify(rest)}\n`,
  );
});

test('refuses invalid requests', async () => {
  const running = (await server.app.get(PrismaService).db.game.findFirst({ where: { endedAt: null } }))!.id;
  const refusals: [Body, string, string | undefined][] = [
    [{ format: 'csv' }, 'BAD_INPUT', 'format'],
    [{ format: 'pgn', ruleset: 'xiangqi' }, 'BAD_INPUT', 'format'],
    [{ ruleset: 'checkers' }, 'INVALID_RULESET', 'ruleset'],
    [{ since: 'yesterday' }, 'BAD_INPUT', 'since'],
    [{ until: '2026-02-30' }, 'BAD_INPUT', 'until'],
    [{ since: '2026-01-02T00:00:00Z', until: '2026-01-02T00:00:00Z' }, 'BAD_INPUT', 'until'],
    [{ fields: 'moves' }, 'BAD_INPUT', 'fields'],
    [{ fields: 'id', format: 'pgn' }, 'BAD_INPUT', 'fields'],
    [{ max: 0 }, 'BAD_INPUT', 'max'],
    [{ max: 1.5 }, 'BAD_INPUT', 'max'],
    [{ max: 'all' }, 'BAD_INPUT', 'max'],
    [{ max: 1e12 }, 'BAD_INPUT', 'max'],
    [{ after: 'x' }, 'BAD_INPUT', 'after'],
    [{ after: 'af13b56a-0a65-4a3b-9e43-0e0f5d1f7e0d' }, 'INVALID_CURSOR', 'after'],
    [{ after: running }, 'INVALID_CURSOR', 'after'],
  ];
  for (const [, of] of LISTS) {
    for (const [query, code, field] of refusals) {
      expect([query, await list(of, query)]).toMatchObject([query, { status: 400, code, field }]);
    }
  }
  expect(await list(allGames, { format: 'pgn', ruleset: 'xiangqi' })).toMatchObject({
    detail: 'format must be one of ndjson, wxf, iccs for games of xiangqi; got pgn.',
  });
  for (const name of ['nobody', '%00', "'"]) {
    expect(await list(exportGamesOf(name))).toMatchObject({ status: 404, field: 'player' });
  }
});

test('a page costs two statements, plus one for seeds if requested, however many games it has', async () => {
  const cost = async (max: number, more: Body = {}) => {
    const seen = await fewestStatements(() => list(allGames, { max, ...more }));
    return seen.filter((text) => /\b(games|users|plies)\b/.test(text)).length;
  };
  expect([await cost(1), await cost(100), await cost(300)]).toEqual([3, 3, 9]);
  expect([await cost(100, { fields: '-fairness' }), await cost(10, { format: 'pgn' })]).toEqual([2, 2]);
});

describe('a client that does not read', () => {
  let many: number;

  // More than the socket buffers hold.
  beforeAll(async () => {
    const { db } = server.app.get(PrismaService);
    const made = await population(db, await people(db, ['eve', 'fay']), rounds(900, 400), 5);
    const ended = made.filter(({ endedAt }) => endedAt !== null);
    many = ended.length;
    // Else there are no pages that could be left unread.
    expect(many).toBeGreaterThan(200);
    await db.$executeRaw`
      INSERT INTO plies (game_id, seq, ply, player, move, san, position, time_used, automatic, played_at, previous_hash, hash)
      SELECT id, 1000, 1000, 'first', 'a1a2', repeat('x', 100000), '', 0, false, now(), '', ''
      FROM unnest(${ended.map(({ id }) => id)}::uuid[]) AS g(id)`;
  });

  const open = (): Promise<IncomingMessage> =>
    new Promise((done, fail) => {
      get(addressOf(server.url, exportGamesOf('eve')()), done).on('error', fail);
    });
  const isPage = (text: string) => text.includes('json_agg');
  /** Two are read when the first has been taken; how many there are is left to chance. */
  const someOfThePages = () => Math.max(2, many / 100 / 2);
  /** Without back-pressure, a stream would be read to its end while others are answered by the same database. */
  const othersAreAnswered = async () => {
    for (let i = 0; i < 50; i++) await restApi(server.http).user(null, 'eve');
  };

  test('pauses reading from the database; then everything arrives', async () => {
    let answer!: IncomingMessage;
    const pages = (
      await statementsOf(async () => {
        answer = await open();
        await othersAreAnswered();
      })
    ).filter(isPage).length;
    expect(pages).toBeLessThanOrEqual(someOfThePages());
    let lines = 0;
    for await (const part of answer.setEncoding('utf8')) lines += (part as string).split('\n').length - 1;
    expect(lines).toBe(many);
  });

  test('and disconnects ends the reading', async () => {
    const seen = await statementsOf(async () => {
      const answer = await open();
      await once(answer, 'data');
      answer.destroy();
      await othersAreAnswered();
    });
    expect(seen.filter(isPage).length).toBeLessThanOrEqual(someOfThePages());
    expect((await list(allGames, { max: 1 })).status).toBe(200);
  });
});
