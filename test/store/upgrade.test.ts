import { clientSeedHash } from '../../src/fairness/commitment.js';
import { holds, verify } from '../../src/fairness/verify.js';
import { BEGINNING, type ChangeRow } from '../../src/features/changes/change.row.js';
import { ChangesStore } from '../../src/features/changes/changes.store.js';
import { CommitStore } from '../../src/features/games/commit.store.js';
import { migrate, readMigrations } from '../../src/platform/database/migrations.js';
import type { SqlSession } from '../../src/platform/database/session.js';
import { type Api, restApi } from '../support/api.js';
import type { Game } from '../support/api-types.js';
import { newSeed } from '../support/chosen-deals.js';
import { freshPlace, type Place } from '../support/databases.js';
import { openRaw, readAll, replaceBy, type Row, type Rows } from '../support/older-schema.js';
import { perMove } from '../support/pair.js';
import { type Person, register } from '../support/people.js';
import { begin, NO_CLOCK, playMoves } from '../support/play.js';
import { startServer, type TestServer } from '../support/server.js';
import { brokenGames } from '../support/stored.js';
import { type Body, must } from '../support/transport.js';

/** A database from before the migrations of 2026-11-24 keeps all that it holds, and its games go on. */
// Both databases: they must run the same migrations.

const LAST = '20261123040000_events';
const LINE = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 b1c3 f8e7 d2d4 e5d4 f3d4 c6d4 d1d4'.split(' ');
const BANK = { timeControl: { type: 'bank', initial: 864_000, increment: 3600, cap: 864_000 } };
const DAYS = perMove(172_800);
const seed = newSeed();

let place: Place;
let ann: Person;
let ben: Person;
let games: Readonly<Record<string, string>>;
let before: Rows;
let constraints: readonly string[];
let columns: readonly Row[];
let session: SqlSession;
let after: Rows;

beforeAll(async () => {
  place = await freshPlace();
  await fill();
  session = await openRaw(place);
  await makeOld();
  before = await readAll(session);
  [constraints, columns] = [await constraintsOfGames(), await columnsOfGames()];
  await migrate(session, await readMigrations());
  after = await readAll(session);
});
afterAll(async () => {
  await session.close();
  await place.remove();
});

/** Ann makes ply 1 of each game. */
async function fill(): Promise<void> {
  const server = await startServer({}, place);
  const api = restApi(server.http);
  [ann, ben] = [await register(server.http, 'ann'), await register(server.http, 'ben')];
  const play = async (moves: readonly string[], terms: Body = DAYS): Promise<Game> =>
    playMoves(api, await begin(api, ann, ben, terms), moves, { first: ann, second: ben });
  const all: Record<string, Game> = {
    long: await play(LINE, BANK),
    read: await play(LINE.slice(0, 3)),
    stale: await play(LINE.slice(0, 5)),
    unread: await play(LINE.slice(0, 1), { timeControl: NO_CLOCK }),
    takenBack: await play(LINE.slice(0, 4), BANK),
    planned: await play([]),
    paused: await play(LINE.slice(0, 2)),
    pending: await begin(api, ann, ben, { ...DAYS, clientSeedHash: clientSeedHash(seed) }),
    facedown: await turnUp(api, await play([], { ...DAYS, ruleset: 'banqi-taiwan' }), 3),
    resigned: await play(LINE, { ...BANK, rated: true }),
    aborted: await play([]),
  };
  games = Object.fromEntries(Object.entries(all).map(([name, { id }]) => [name, id]));
  await actIn(api);
  while ((await server.app.get(ChangesStore).fold(1000)) > 0);
  await server.close();
}

async function actIn(api: Api): Promise<void> {
  must(await api.plain(ben, 'offerTakeback', games['takenBack']!));
  must(await api.plain(ann, 'acceptTakeback', games['takenBack']!));
  must(await api.setConditionalMoves(ben, games['planned']!, [{ when: 'e2e4', reply: 'e7e5' }]));
  must(await api.plain(ann, 'offerPause', games['paused']!));
  must(await api.plain(ben, 'acceptPause', games['paused']!));
  must(await api.plain(ann, 'offerDraw', games['long']!));
  must(await api.plain(ben, 'resign', games['resigned']!));
  must(await api.plain(ann, 'abort', games['aborted']!));
}

/** Turns up this many pieces, which the moves of the game then name. */
async function turnUp(api: Api, game: Game, times: number): Promise<Game> {
  const squares = ['a1', 'b1', 'c1', 'd1'].slice(0, times);
  return playMoves(api, game, squares, { first: ann, second: ben });
}

/** What the earlier version stored: moves oldest first, a notification for each turn, and an outbox. */
async function makeOld(): Promise<void> {
  const { games: rows, events, ...rest } = await readAll(session);
  await replaceBy(session, LAST, {
    ...rest,
    games: rows!.map((row) => ({ ...row, moves: reversed(row['moves']) })),
    events: events!.filter(({ steps }) => steps !== 0),
  });
  // The tables are new ones, and the history goes on.
  await session.run(`SET session_replication_role = replica; UPDATE change_epochs SET place = place_of_changes();
     SET session_replication_role = origin`);
  const turn = async (game: string, user: Person, minutes: number, isRead: boolean) =>
    session.query(
      `INSERT INTO notifications (user_id, game_id, type, data, created_at, read_at)
       SELECT $1::uuid, id, 'yourTurn', jsonb_build_object('ply', ply_count + 1, 'deadlineAt', deadline_at),
              turn_started_at + $3::interval, CASE WHEN $4::boolean THEN turn_started_at + interval '1 hour' END
       FROM games WHERE id = $2::uuid`,
      [user.id, games[game]!, `${minutes} minutes`, String(isRead)],
    );
  await turn('long', ben, 0, false);
  await turn('read', ben, 0, true);
  await turn('read', ann, -5, true);
  await turn('stale', ben, -5, true);
  await turn('unread', ben, 0, false);
  await turn('takenBack', ben, 0, true);
  await turn('planned', ann, 0, true);
  await turn('resigned', ben, -5, false);
  await session.run(
    `INSERT INTO outbox (game_id, version, created_at) SELECT id, version, last_activity_at FROM games`,
  );
}

const reversed = (moves: unknown): string => (moves as string).split(' ').reverse().join(' ');

const constraintsOfGames = async () =>
  (
    await session.query<{ text: string }>(
      `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint
       WHERE conrelid = 'games'::regclass AND contype <> 'n' ORDER BY 1`,
    )
  ).map(({ text }) => text);

const columnsOfGames = (): Promise<Row[]> =>
  session.query(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attnotnull AS required, attgenerated AS generated,
            pg_get_expr(adbin, adrelid) AS value
     FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE attrelid = 'games'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY 1`,
  );

const NEW_COLUMNS = ['due_at', 'ended_first_seconds', 'ended_plies', 'ended_second_seconds', 'opening'];
const CHANGED_TABLES = ['change_epochs', 'changes', 'games', 'notifications', 'outbox'];
const gameIn = (rows: Rows, name: string): Row => rows['games']!.find(({ id }) => id === games[name])!;
const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
const isTurn = ({ type, id }: Row) => type === 'yourTurn' || String(id).endsWith(':yourTurn');

test('the old database has what a server in use has', () => {
  expect(new Set(before['games']!.map(({ status }) => status))).toEqual(
    new Set(['active', 'paused', 'pending', 'finished', 'aborted']),
  );
  expect(gameIn(before, 'facedown')['moves']).toMatch(/^a1=\S+ b1=\S+ c1=\S+$/);
  expect(gameIn(before, 'long')['moves']).toMatch(/^e2e4 .* d1d4xn$/);
  expect(gameIn(before, 'planned')['second_plan']).not.toBeNull();
  expect(gameIn(before, 'takenBack')['takebacks']).toHaveLength(1);
  expect(before['notifications']!.filter(isTurn)).toHaveLength(8);
  expect(before['changes']!.filter(isTurn)).toHaveLength(8);
  for (const table of ['outbox', 'events', 'plies', 'game_events', 'rating_changes', 'unlogged']) {
    expect(before[table]).not.toEqual([]);
  }
});

test('each row of the other tables stays as it is', () => {
  const tables = Object.keys(before).filter((name) => !CHANGED_TABLES.includes(name));
  expect(Object.keys(after).filter((name) => !CHANGED_TABLES.includes(name))).toEqual(
    [...tables, 'running_games'].sort(),
  );
  for (const table of tables) expect([table, after[table]]).toEqual([table, before[table]]);
});

test('each game keeps its values, with its moves newest first', () => {
  const byId = (rows: readonly Row[]) => [...rows].sort((a, b) => (a['id']! < b['id']! ? -1 : 1));
  expect(byId(after['games']!).map((row) => without(row, NEW_COLUMNS))).toEqual(
    byId(before['games']!).map((row) => ({ ...row, moves: reversed(row['moves']) })),
  );
});

test('the columns and the checks of games are as before, beside the new ones', async () => {
  const now = await columnsOfGames();
  expect(now.filter(({ name }) => !NEW_COLUMNS.includes(name as string))).toEqual(columns);
  expect(now.map(({ name }) => name)).toEqual(expect.arrayContaining(NEW_COLUMNS));
  expect(await constraintsOfGames()).toEqual(constraints);
});

test('alarms are in time, and what is over has none', () => {
  for (const row of after['games']!) {
    const moments = [row['deadline_at'], row['wake_at']].filter((at) => at !== null) as string[];
    expect(row['due_at']).toEqual(moments.sort()[0] ?? null);
    if (row['ended_at'] !== null) expect(row['due_at']).toBeNull();
  }
  expect(after['games']!.filter(({ due_at: at }) => at !== null).length).toBeGreaterThan(5);
});

test('what indexes hold of a game is there once it is over', () => {
  for (const row of after['games']!) {
    const isOver = row['ended_at'] !== null;
    expect(row['ended_plies']).toBe(isOver ? row['ply_count'] : null);
    expect(row['ended_first_seconds']).toBe(isOver ? row['first_seconds'] : null);
    expect(row['ended_second_seconds']).toBe(isOver ? row['second_seconds'] : null);
    if (!isOver) expect(row['opening']).toBeNull();
  }
  expect(gameIn(after, 'resigned')['opening']).toBe(`${LINE.join(' ')} `);
});

test('all games that go on are listed', () => {
  const listed = after['running_games']!.map((row) => row['game_id']);
  const running = after['games']!.filter(({ ended_at: at }) => at === null);
  expect([...listed].sort()).toEqual(running.map(({ id }) => id).sort());
  expect(after['running_games']).toEqual(
    expect.arrayContaining(
      running.map(({ id, last_activity_at, ruleset }) => ({ game_id: id, last_activity_at, ruleset })),
    ),
  );
});

test('the indexes are those of a new database', async () => {
  const indexes = async (from: SqlSession) =>
    from.query(`SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`);
  const other = await freshPlace();
  const fresh = await openRaw(other);
  expect(await indexes(session)).toEqual(await indexes(fresh));
  await fresh.close();
  await other.remove();
});

test('of the turns those marks stay that say that the present one is read', () => {
  const marks = after['notifications']!.filter(isTurn);
  const mark = (name: string, { id }: Person) => {
    const { ply_count: plies, turn_started_at: at } = gameIn(after, name);
    const { read_at } = before['notifications']!.find(
      (row) => isTurn(row) && row['game_id'] === games[name] && row['user_id'] === id,
    )!;
    const data = { ply: Number(plies) + 1 };
    return { user_id: id, game_id: games[name], type: 'yourTurn', data, created_at: at, read_at };
  };
  expect(marks).toHaveLength(3);
  expect(marks).toEqual(
    expect.arrayContaining([mark('read', ben), mark('takenBack', ben), mark('planned', ann)]),
  );
  const others = (rows: Rows) => rows['notifications']!.filter((row) => !isTurn(row));
  expect(others(after)).toEqual(others(before));
});

test('the changes are the same, and the turns among them are gone', () => {
  const others = (rows: Rows) => rows['changes']!.filter((row) => !isTurn(row));
  expect(others(after)).toEqual(others(before));
  const turns = after['changes']!.filter(isTurn);
  expect(turns).toHaveLength(8);
  const newest = Math.max(...before['changes']!.map(({ xid }) => Number(xid)));
  for (const { deleted, xid } of turns) expect([deleted, Number(xid) > newest]).toEqual([true, true]);
  expect(after['change_epochs']).toMatchObject(before['change_epochs']!);
});

describe('the server of the new version', () => {
  let server: TestServer;
  let api: Api;
  beforeAll(async () => {
    await session.close();
    server = await startServer({}, place);
    api = restApi(server.http);
  });
  afterAll(async () => {
    await server.close();
    session = await openRaw(place);
  });

  const changesOf = async ({ id }: Person, since = BEGINNING): Promise<readonly ChangeRow[]> =>
    (await server.app.get(ChangesStore).after(id, since, 1000)).rows;

  test('shows whose turn it is, and which turns were read', async () => {
    const turnsOf = async (person: Person) =>
      must(await api.notifications(person, { first: 100 }))
        .edges.filter(({ node }) => node.type === 'yourTurn')
        .map(({ node }) => [node.gameId, node.readAt !== null]);
    const expected = (turn: string, read: readonly string[]) =>
      Object.entries(games)
        .filter(([name]) => gameIn(after, name)['turn'] === turn)
        .map(([name, id]) => [id, read.includes(name)]);
    const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(await turnsOf(ben))).toEqual(sorted(expected('second', ['read', 'takenBack'])));
    expect(sorted(await turnsOf(ann))).toEqual(sorted(expected('first', ['planned'])));
  });

  test('lets all games go on, and tells each change of them', async () => {
    const known = await changesOf(ben);
    const ids = (rows: readonly ChangeRow[]) =>
      rows.filter(({ kind }) => kind === 'game').map(({ id }) => id);
    expect(ids(known).sort()).toEqual(Object.values(games).sort());
    const { xid, kind, id } = known.at(-1)!;
    const played = await playOn();
    expect(ids(await changesOf(ben, { xid, kind, id })).sort()).toEqual([...played].sort());
    const { horizon } = await server.app.get(ChangesStore).now();
    while ((await server.app.get(ChangesStore).fold(1000)) > 0);
    expect(ids(await changesOf(ben, { xid, kind, id })).sort()).toEqual([...played].sort());
    expect(ids(await changesOf(ben, { xid: horizon, kind: '', id: '' }))).toEqual([]);
    for (const game of Object.values(games)) {
      if (game === games['pending']) continue;
      expect(holds(verify(must(await api.record(null, game))))).toBe(true);
    }
  });

  /** Returns the games that have changed. */
  async function playOn(): Promise<readonly string[]> {
    const move = async (name: string, by: Person, what: string) => {
      const { plyCount } = must(await api.game(null, games[name]!));
      return must(await api.makeMove(by, games[name]!, plyCount + 1, what));
    };
    await move('long', ben, 'b7b5');
    await move('read', ben, LINE[3]!);
    await move('stale', ben, LINE[5]!);
    await move('unread', ben, LINE[1]!);
    await move('takenBack', ben, LINE[3]!);
    expect((await move('planned', ann, 'e2e4')).plyCount).toBe(2);
    await move('facedown', ben, 'd1');
    must(await api.giveClientSeed(ann, games['pending']!, seed));
    must(await api.plain(ann, 'unpause', games['paused']!));
    const changed = [
      'long',
      'read',
      'stale',
      'unread',
      'takenBack',
      'planned',
      'facedown',
      'pending',
      'paused',
    ];
    return changed.map((name) => games[name]!);
  }

  test('finds the next alarm', async () => {
    const next = await server.app.get(CommitStore).nextMoment(new Date(0));
    expect(next).toBeGreaterThan(Date.now());
  });
});

test('no game is broken after it', async () => {
  // It takes plies taken back, and offers between two plies, for gaps.
  const known = [games['long'], games['takenBack']];
  expect((await brokenGames(session)).filter(({ id }) => !known.includes(id))).toEqual([]);
});
