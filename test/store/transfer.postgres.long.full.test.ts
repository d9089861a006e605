import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { exportTo } from '../../src/cli/db-export.js';
import { importFrom } from '../../src/cli/db-import.js';
import { openDatabase } from '../../src/platform/database/database.js';
import { DatabaseRefusal } from '../../src/platform/database/refusal.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { linesOf } from '../../src/platform/database/transfer/format.js';
import { ChangesStore } from '../../src/features/changes/changes.store.js';
import { runChild } from '../support/children.js';
import { embeddedPlace, type Place, SERVER, serverPlace } from '../support/databases.js';
import { fillEveryTable } from '../support/rows.js';
import { FULL, inFull } from '../support/scale.js';
import { readSchema } from '../support/schema.js';

// Long: it opens many databases.
// Both databases: each imports what the other exports.

const PLIES = 1200;
const CARRIED = readSchema()
  .map(({ name }) => name)
  .filter(
    (name) =>
      ![
        ...['changes', 'event_state', 'unlogged', 'events', 'running_games', 'mails', 'rate_counts'],
        ...['news_items', 'pushes', 'log_readers'],
      ].includes(name),
  );

let folder: string;
let places: Place[];
const file = (name: string) => join(folder, name);
const inPlace = async (made: Promise<Place>): Promise<Place> => {
  const place = await made;
  places.push(place);
  return place;
};
const emptyEmbedded = () => inPlace(embeddedPlace());
const emptyServer = () => inPlace(serverPlace('empty'));

/** A database with rows in every table, and its export. No test changes it. */
let source: Place;
let text: string;
beforeAll(async () => {
  source = await filled(await embeddedPlace());
  const path = join(source.dataDir, 'export.ndjson');
  await exportTo(path, source);
  text = await readFile(path, 'utf8');
});
afterAll(() => source.remove());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'halfmove-export-'));
  places = [];
  await writeFile(file('a.ndjson'), text);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  for (const place of places) await place.remove();
});

/** A database with rows in every table, one with more than a batch, and an advanced sequence. */
async function filled(place: Place): Promise<Place> {
  const database = await openDatabase(place, () => undefined);
  const { gameId } = await fillEveryTable(database.prisma);
  await fillEveryTable(database.prisma);
  await database.prisma.$executeRaw`
    INSERT INTO plies SELECT game_id, n, n, player, move, reveals, captured, san, position, time_used, automatic,
           played_at, previous_hash, hash, proof
      FROM plies, generate_series(3, ${PLIES}::int) n WHERE game_id = ${gameId}::uuid`;
  await database.close();
  return place;
}

async function exportOf(place: Place, name: string): Promise<string> {
  await exportTo(file(name), place);
  return readFile(file(name), 'utf8');
}

/** The content of an export, with its rows in an order that does not depend on a database's sorting. */
const contents = (text: string) => text.split('\n').slice(0, -2).sort();

const rewritten = (text: string, change: (lines: string[]) => string[]): string => {
  const lines = change(text.split('\n').slice(0, -2));
  const body = lines.map((line) => `${line}\n`).join('');
  const rows = lines.filter((line) => line.startsWith('[')).length;
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ end: true, rows, sha256 })}\n`;
};

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(DatabaseRefusal);
  return (error as Error).message;
}

const GENERATED = [
  'ended_plies',
  'ended_first_plies',
  'ended_second_plies',
  'ended_first_seconds',
  'ended_second_seconds',
  'opening',
];

describe('an export', () => {
  test('contains every table of the schema, in an order that foreign keys allow', async () => {
    const order = [...text.matchAll(/^\{"table":"(\w+)"/gm)].map(([, name]) => name!);
    expect([...order].sort()).toEqual([...CARRIED].sort());
    expect(order.indexOf('users')).toBeLessThan(order.indexOf('sessions'));
    expect(order.indexOf('sessions')).toBeLessThan(order.indexOf('refresh_tokens'));
    expect(order.indexOf('games')).toBeLessThan(order.indexOf('messages'));
    for (const { name, columns } of readSchema().filter((table) => CARRIED.includes(table.name))) {
      // What is generated is left to the database that it is imported into.
      const listed = columns.map((column) => column.name).filter((column) => !GENERATED.includes(column));
      const line = text.split('\n').find((each) => each.startsWith(`{"table":"${name}"`))!;
      expect((JSON.parse(line) as { columns: string[] }).columns.sort()).toEqual(listed.sort());
    }
    expect((await stat(join(source.dataDir, 'export.ndjson'))).mode & 0o777).toBe(0o600);
  });

  test('fills another embedded database with the same, and its sequences continue', async () => {
    const target = await emptyEmbedded();
    const rows = text.split('\n').filter((line) => line.startsWith('[')).length;
    expect(rows).toBeGreaterThan(PLIES);
    expect(await importFrom(file('a.ndjson'), target)).toBe(rows);
    expect(await exportOf(target, 'b.ndjson')).toBe(text);
    const { prisma, close } = await openDatabase(target, () => undefined);
    const { id } = await prisma.event.create({ data: { userId: randomUUID(), type: 'profileChanged' } });
    expect(text).toContain(`{"sequence":"events_id_seq","value":"${id - 1n}"}`);
    await close();
  });

  test('omits the changes: the other database reports everything to all, in a new log', async () => {
    const told = async (place: Place) => {
      const database = await openDatabase(place, () => undefined);
      const { prisma, close } = database;
      await new ChangesStore(new PrismaService(database)).fold(100_000);
      const key = { userId: true, kind: true, id: true } as const;
      const changes = await prisma.change.findMany({
        select: key,
        orderBy: [{ userId: 'asc' }, { kind: 'asc' }, { id: 'asc' }],
      });
      const ahead = await prisma.$queryRaw`
        SELECT 1 FROM changes WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())`;
      const events = await prisma.event.count();
      await close();
      return { changes, ahead, events };
    };
    const target = await emptyEmbedded();
    await importFrom(file('a.ndjson'), target);
    const [here, there] = [await told(source), await told(target)];
    expect(there.changes).toEqual(here.changes);
    expect(new Set(there.changes.map(({ kind }) => kind)).size).toBe(10);
    expect([here.ahead, there.ahead]).toEqual([[], []]);
    expect([here.events > 0, there.events]).toEqual([true, 0]);
  });

  inFull('has the same content when compressed', async () => {
    await exportTo(file('a.ndjson.gz'), source);
    expect(gunzipSync(await readFile(file('a.ndjson.gz'))).toString()).toBe(text);
    const target = await emptyEmbedded();
    await importFrom(file('a.ndjson.gz'), target);
    expect(await exportOf(target, 'b.ndjson')).toBe(text);
  });

  inFull('is valid for an empty database', async () => {
    const empty = await exportOf(await emptyEmbedded(), 'empty.ndjson');
    expect(await importFrom(file('empty.ndjson'), await emptyEmbedded())).toBe(0);
    expect(empty.split('\n')).toHaveLength(CARRIED.length + 3);
  });

  test('overwrites nothing, and refuses a missing database', async () => {
    await writeFile(file('a.ndjson'), 'mine');
    expect(await refusal(exportTo(file('a.ndjson'), source))).toContain('already exists');
    expect(await readFile(file('a.ndjson'), 'utf8')).toBe('mine');
    const nowhere = { dataDir: file('nowhere'), databaseUrl: null };
    expect(await refusal(exportTo(file('b.ndjson'), nowhere))).toContain('There is no database in');
    await expect(stat(file('b.ndjson'))).rejects.toThrow('ENOENT');
  });
});

describe('an import is refused, and leaves nothing behind,', () => {
  /** One for all of them: the next test would find what one left behind. */
  let target: Place;
  beforeAll(async () => (target = await embeddedPlace()));
  afterAll(() => target.remove());
  const expectEmpty = async () => {
    const rows = contents(await exportOf(target, `${randomUUID()}.ndjson`)).filter((line) =>
      line.startsWith('['),
    );
    expect(rows).toEqual([]);
  };
  if (FULL) afterEach(expectEmpty);

  const importOf = async (content: string | Buffer, name = 'changed.ndjson') => {
    await writeFile(file(name), content);
    return refusal(importFrom(file(name), target));
  };

  test('when the export is truncated anywhere', async () => {
    const lines = text.split('\n');
    expect(await importOf(lines.slice(0, -2).join('\n'))).toContain('it is cut short');
    if (FULL) expect(await importOf('')).toContain('it is cut short');
    expect(await importOf(text.slice(0, text.length / 2))).toContain('not a whole export');
    const packed = gzipSync(text);
    expect(await importOf(packed.subarray(0, packed.length - 20), 'c.gz')).toContain('cannot be unpacked');
  });

  test('when a byte of it was changed', async () => {
    expect(await importOf(text.replace('"e2e4"', '"e2e3"'))).toContain('do not match the checksum');
  });

  test('when it continues after its end', async () => {
    expect(await importOf(`${text}["x"]\n`)).toContain('something follows its end');
  });

  test('when a row breaks a constraint', async () => {
    const message = await importOf(
      rewritten(text, (lines) => lines.filter((line) => !line.includes('$argon2id$'))),
    );
    expect(message).toMatch(/a row of \w+ is refused .*foreign key/);
  });

  test('when it is not an export', async () => {
    expect(await importOf('hello\n')).toContain('a line reads hello');
  });

  test('when it has another table', async () => {
    const other = rewritten(text, (lines) => [...lines, '{"table":"others","columns":["id"]}']);
    expect(await importOf(other)).toContain('its table others is not the one of this database');
  });

  test('when it was made with other migrations', async () => {
    const named = (name: string) =>
      rewritten(text, ([first, ...rest]) => [first!.replace(/"name":"\w+"/, `"name":"${name}"`), ...rest]);
    expect(await importOf(named('3_other'))).toContain('another version of the program');
    const old = await importOf(named('20261120000000_first'));
    expect(old).toMatch(/^The export is from before the first release.*Start anew with an empty database/);
  });

  test('when the disk is nearly full', async () => {
    const full = importFrom(file('a.ndjson'), { ...target, minFreeBytes: Number.MAX_SAFE_INTEGER });
    await expect(full).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });

  test('after all these attempts', expectEmpty);

  test('when the database is not empty', async () => {
    expect(await refusal(importFrom(file('a.ndjson'), source))).toContain('This database is not empty');
  });
});

describe('the programs', () => {
  test('work in pipes, mention the secret, and print their usage', async () => {
    const out = await runChild('dist/cli/db-export.js', ['-'], { env: { DATA_DIR: source.dataDir } }).ended();
    expect(out).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/SEED_SECRET.*SIGNING_SECRET/) as unknown,
    });
    const target = await emptyEmbedded();
    const input = Buffer.from(out.stdout);
    const taken = await runChild('dist/cli/db-import.js', ['-'], {
      env: { DATA_DIR: target.dataDir },
      input,
    }).ended();
    expect(taken).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^\d+ rows imported\.\n$/) as unknown,
    });
    expect(await exportOf(target, 'b.ndjson')).toBe(out.stdout);

    if (!FULL) return;
    const again = await runChild('dist/cli/db-import.js', ['-'], {
      env: { DATA_DIR: target.dataDir },
      input,
    }).ended();
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') as unknown });
    const lost = await runChild('dist/cli/db-export.js', []).ended();
    expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining('usage: db:export') as unknown });
  });
});

test('lines are split only at newlines, wherever the chunks end', async () => {
  const given = 'a\u2028b\r\n将棋\n\nlast';
  const bytes = Buffer.from(given);
  async function* chunks() {
    for (const byte of bytes) yield Buffer.from([byte]);
  }
  const lines: string[] = [];
  for await (const line of linesOf(chunks())) lines.push(line);
  expect(lines).toEqual(given.split('\n'));
});

if (SERVER !== undefined) {
  test('the same data goes from embedded to PostgreSQL and back, byte for byte', async () => {
    const server = await emptyServer();
    await importFrom(file('a.ndjson'), server);
    const onServer = await exportOf(server, 'b.ndjson');
    expect(contents(onServer)).toEqual(contents(text));
    const back = await emptyEmbedded();
    await importFrom(file('b.ndjson'), back);
    expect(await exportOf(back, 'c.ndjson')).toBe(text);
  });

  test('an export shows one moment, whatever is written at the same time', async () => {
    const server = await filled(await emptyServer());
    const before = await exportOf(server, 'before.ndjson');
    const database = await openDatabase(server, () => undefined);
    const exporting = exportTo(file('during.ndjson'), server);
    const writing = fillEveryTable(database.prisma);
    await Promise.all([exporting, writing]);
    await database.close();
    const during = await readFile(file('during.ndjson'), 'utf8');
    const target = await emptyEmbedded();
    await importFrom(file('during.ndjson'), target);
    expect(contents(during).length).toBeGreaterThanOrEqual(contents(before).length);
  });

  test('an import into a server is applied fully or not at all, too', async () => {
    const server = await emptyServer();
    await writeFile(file('cut.ndjson'), text.slice(0, -10));
    await refusal(importFrom(file('cut.ndjson'), server));
    expect(await importFrom(file('a.ndjson'), server)).toBeGreaterThan(PLIES);
    expect(await refusal(importFrom(file('a.ndjson'), server))).toContain('is not empty');
  });
}
