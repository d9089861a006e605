const { join } = require('node:path');

/**
 * Who may import whom, as docs/architecture.md draws it. Imports of types count like any other, unless a rule says
 * otherwise. test/house/imports.test.ts shows that each rule fires.
 */

/** The features from the lowest up: each imports those below it, and none beside it. */
const LAYERS = [
  ['rulesets', 'users'],
  ['auth'],
  ['blocks', 'calendar', 'ratings', 'transparency'],
  ['games'],
  ['notifications', 'vacations'],
  ['analysis', 'history', 'imports', 'matchmaking', 'messages', 'openings'],
  ['changes', 'exports'],
  ['events'],
  ['accounts'],
  ['integrations'],
];
const FEATURES = '^src/features/';
/** Above all features, and none of them knows it. */
const ABOVE = '^src/(pages|transport|cli)/|^src/(main|app|app\\.module)\\.ts$';
const TRANSPORT = ['\\.(resolver|controller|gateway)\\.ts$', '^src/(transport|pages)/'];
const STORE = '\\.store\\.ts$';
const DIGESTS = ['^(node:)?crypto$', '(^|node_modules/)@noble/hashes(/|$)'];
const DIGEST_FILES = '^src/fairness/digest(\\.browser)?\\.ts$';
const DATABASE_PROGRAM = '^src/cli/db-[^/]*\\.ts$';

/** What a folder of a layer never imports. */
const outOfReach = (folder, layer) =>
  LAYERS.slice(layer)
    .flat()
    .filter((other) => other !== folder);

const error = (name, comment, from, to, more = {}) => ({
  name,
  severity: 'error',
  comment,
  from,
  to,
  ...more,
});

const cores = [
  error(
    'rules-are-pure',
    'The rules import nothing outside themselves.',
    { path: '^src/rules/' },
    { pathNot: '^src/rules/' },
  ),
  error(
    'arbiter-is-pure',
    'The arbiter imports the rules alone.',
    { path: '^src/arbiter/' },
    { pathNot: '^src/(arbiter|rules)/' },
  ),
  error(
    'arbiter-knows-no-game',
    "Of the rules the arbiter uses the types, and the vocabulary's own words (players, refusals).",
    { path: '^src/arbiter/' },
    { path: '^src/rules/', pathNot: '^src/rules/(ruleset|result)\\.ts$', dependencyTypesNot: ['type-only'] },
  ),
  error(
    'fairness-is-pure',
    'Fairness imports the rules, the arbiter (which does the acts of a record again), canonicalize, the reader of JSON that keeps positions, and for its digests a package each.',
    { path: '^src/fairness/' },
    {
      pathNot: [
        '^src/(fairness|rules|arbiter)/',
        '^src/formats/(json-nodes|fault)\\.ts$',
        '(^|node_modules/)canonicalize(/|$)',
        ...DIGESTS,
      ],
    },
  ),
  error(
    'fairness-runs-in-browsers',
    'Of fairness only the two digests know where they run.',
    { path: '^src/fairness/', pathNot: DIGEST_FILES },
    { path: DIGESTS },
  ),
  error(
    'formats-are-pure',
    'The text formats of games import the rules alone.',
    { path: '^src/formats/' },
    { pathNot: '^src/(formats|rules)/' },
  ),
  error(
    'families-apart',
    'One family of games never imports another.',
    { path: '^src/rules/([^/]+)/' },
    { path: '^src/rules/[^/]+/', pathNot: '^src/rules/$1/' },
  ),
  error(
    'families-by-registry',
    'What all families share knows none of them; the registry names them.',
    { path: '^src/rules/[^/]+\\.ts$', pathNot: '^src/rules/registry\\.ts$' },
    { path: '^src/rules/[^/]+/' },
  ),
];

const client = [
  error(
    'client-stands-alone',
    'The client imports the types of the contract and two small packages, and nothing of the server.',
    { path: '^src/client/' },
    {
      pathNot: [
        '^src/(client|generated/client)/',
        '(^|node_modules/)(openapi-fetch|eventsource-parser)(/|$)',
      ],
    },
  ),
  error(
    'client-for-programs',
    'Only programs use the client: the server never calls itself over HTTP.',
    { path: '^src/', pathNot: '^src/(client|generated/client|cli)/' },
    { path: '^src/client/' },
  ),
];

const database = [
  error(
    'prisma-in-stores',
    'Only stores, the database floor and the database programs touch Prisma, its types included.',
    { pathNot: [STORE, '^src/platform/database/', '^src/generated/', DATABASE_PROGRAM] },
    { path: ['^src/generated/prisma', '(^|node_modules/)@prisma/'] },
  ),
  error(
    'drivers-in-database',
    'Only the database floor and the database programs know what lies under Prisma.',
    { pathNot: ['^src/platform/database/', DATABASE_PROGRAM] },
    { path: '(^|node_modules/)(pg|pglite-prisma-adapter|@electric-sql/pglite)(/|$)' },
  ),
  error(
    'features-through-stores',
    'Features reach the database through their stores; they may name the type of a transaction that they hand on.',
    { path: ['^src/engine/', FEATURES], pathNot: [STORE, '\\.module\\.ts$'] },
    { path: '^src/platform/database/', dependencyTypesNot: ['type-only'] },
  ),
  error(
    'own-store-only',
    "A room never imports another room's store; the platform's are for the stores of all.",
    { path: '^src/(features/[^/]+|[^/]+)/' },
    { path: '^src/.*\\.store\\.ts$', pathNot: ['^src/$1/', '^src/platform/'] },
  ),
  error(
    'platform-stores-for-stores',
    "The platform's stores are called by stores, inside their transactions.",
    { path: '^src/', pathNot: ['^src/platform/', STORE, '\\.module\\.ts$'] },
    { path: '^src/platform/.*\\.store\\.ts$' },
  ),
];

const transports = [
  error('transports-without-stores', 'A transport calls its service.', { path: TRANSPORT }, { path: STORE }),
  error(
    'transports-without-rules',
    'A transport may name the types of the rules, and calls none of them.',
    { path: TRANSPORT },
    { path: '^src/rules/', dependencyTypesNot: ['type-only'] },
  ),
];

const order = [
  error(
    'platform-below-features',
    'The platform imports no feature.',
    { path: '^src/platform/' },
    { path: ['^src/engine/', FEATURES, ABOVE] },
  ),
  error(
    'engine-below-features',
    'The engine imports no feature.',
    { path: '^src/engine/' },
    { path: [FEATURES, ABOVE] },
  ),
  error(
    'features-below-pages',
    'A feature knows no page, no transport and no program.',
    { path: FEATURES },
    { path: ABOVE },
  ),
  error(
    'features-are-known',
    'A room has its place in LAYERS.',
    { path: FEATURES, pathNot: `^src/features/(${LAYERS.flat().join('|')})/` },
    {},
  ),
  ...LAYERS.flatMap((folders, layer) =>
    folders
      .filter((folder) => outOfReach(folder, layer).length > 0)
      .map((folder) =>
        error(
          `${folder}-below`,
          `${folder} imports none of ${outOfReach(folder, layer).join(', ')}.`,
          { path: `^src/features/${folder}/` },
          { path: `^src/features/(${outOfReach(folder, layer).join('|')})/` },
        ),
      ),
  ),
  error(
    'programs-are-ends',
    'Nothing imports a program.',
    { path: '^src/', pathNot: '^src/(cli/|main\\.ts$)' },
    { path: '^src/(cli/|main\\.ts$)' },
  ),
];

const hygiene = [
  error('no-cycles', 'Imports form no circle.', { pathNot: '^src/generated/' }, { circular: true }),
  error('resolvable', 'What is imported exists.', {}, { couldNotResolve: true }),
  error(
    'ships-what-it-uses',
    'The server imports no development dependency; the digest for browsers goes into dist/verify.js whole.',
    { path: '^src/', pathNot: '^src/fairness/digest\\.browser\\.ts$' },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  ),
];

module.exports = {
  forbidden: [...cores, ...client, ...database, ...transports, ...order, ...hygiene],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: join(__dirname, 'tsconfig.json') },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/generated/prisma/.+/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
