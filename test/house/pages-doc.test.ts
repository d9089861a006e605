import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isObjectType } from 'graphql';

/** docs/pages.md names each field of the schema once, and says of an operation that the pages use it where they do. */

const NONE = '–';
const WRAPPERS = 'Lists and answers';

interface Row {
  /** Such as `Game.id`. */
  readonly name: string;
  /** Where it is, or a dash and why it is nowhere. */
  readonly place: string;
}

const namesIn = (cell: string): readonly string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);

function rowsOf(section: string): readonly Row[] {
  const heading = section.split('\n', 1)[0]!;
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((line) => {
    const cells = line.slice(2, -2).split(' | ');
    const [fields, place] = cells.slice(-2);
    const types = heading === WRAPPERS ? namesIn(cells[0]!) : [heading];
    return types.flatMap((type) =>
      namesIn(fields!).map((field) => ({ name: `${type}.${field}`, place: place! })),
    );
  });
}

const ROWS = readFileSync('docs/pages.md', 'utf8').split('\n## ').slice(1).flatMap(rowsOf);

const FIELDS = Object.values(buildSchema(readFileSync('schema.graphql', 'utf8')).getTypeMap())
  .filter((type) => isObjectType(type))
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));

const SOURCES = ['web/src', 'packages/elements/src']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, String(file))))
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')
  // A call that is long has its route on a line of its own.
  .replaceAll(/\s*\n\s*/g, '');

interface Route {
  readonly method: string;
  readonly path: string;
}

const ROUTES: ReadonlyMap<string, Route> = new Map(
  Object.entries(
    JSON.parse(readFileSync('openapi.json', 'utf8')).paths as Record<string, Record<string, { operationId: string }>>, // prettier-ignore
  ).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, { method, path }] as const),
  ),
);

/** Where REST has an operation under another name. */
const REST_NAMES: Readonly<Record<string, string>> = { games: 'gamesOfUser' };
/** What calls an operation by a function of the client. The client it makes renews its session by itself. */
const CLIENT_CALLS: Readonly<Record<string, string>> = {
  register: '.register(',
  login: '.login(',
  logout: '.logout(',
  createGuest: '.playAsGuest(',
  claimAccount: '.claimAccount(',
  refresh: 'createClient({',
};
const STREAMS: Readonly<Record<string, string>> = { gameEvents: '.gameEvents(', myEvents: '.events(' };

const GAME = '/v1/games/{id}';

function isCalled(kind: string, name: string): boolean {
  if (kind === 'Subscription') return SOURCES.includes(STREAMS[name] ?? '\0');
  const { method, path } = ROUTES.get(REST_NAMES[name] ?? name) ?? { method: 'get', path: '\0' };
  // The acts in a game are listed with what follows the address of the game.
  const act = path.startsWith(GAME) ? `${name}: '${path.slice(GAME.length)}'` : '\0';
  return [`.${method.toUpperCase()}('${path}'`, CLIENT_CALLS[name] ?? '\0', act].some((text) =>
    SOURCES.includes(text),
  );
}

test('each field of the schema is named once, and nothing else', () => {
  expect(FIELDS.length).toBeGreaterThan(700);
  const names = ROWS.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  expect(FIELDS.filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => !FIELDS.includes(name))).toEqual([]);
});

test('each has a place, or a reason why it has none', () => {
  expect(ROWS.filter(({ place }) => !/^(?:– )?\S.{3,}/.test(place))).toEqual([]);
});

test.each(['Query', 'Mutation', 'Subscription'])(
  'the pages call each %s that has a place, and no other',
  (kind) => {
    const operations = ROWS.filter(({ name }) => name.startsWith(`${kind}.`)).map(({ name, place }) => ({
      name: name.slice(kind.length + 1),
      isPlaced: !place.startsWith(NONE),
    }));
    expect(operations.some(({ isPlaced }) => isPlaced)).toBe(true);
    const wrong = operations.filter(({ name, isPlaced }) => isPlaced !== isCalled(kind, name));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  },
);
