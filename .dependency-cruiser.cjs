const { join } = require('node:path');

/**
 * Which file may import which, as docs/architecture.md draws it. Type imports count unless a rule says
 * otherwise. test/house/imports.test.ts shows that each rule fires.
 */

/** The features from the lowest layer up: each may import only features in layers below its own. */
const LAYERS = [
  ['delivery', 'rulesets', 'users'],
  ['about', 'auth'],
  ['blocks', 'calendar', 'ratings', 'recovery', 'tokens', 'transparency'],
  ['games'],
  ['notifications', 'vacations'],
  ['analysis', 'boards', 'history', 'imports', 'matchmaking', 'messages', 'openings'],
  ['changes', 'exports', 'news', 'nodes'],
  ['events'],
  ['webhooks'],
  ['accounts'],
  ['guests'],
  ['applications'],
  ['integrations'],
];
/** The rooms of the platform from the lowest layer up, in the same way. */
const ROOMS = [
  ['errors'],
  ['process'],
  ['contract', 'database'],
  ['events', 'gathering', 'http', 'idempotency', 'limits'],
  ['graphql'],
];
const FEATURES = '^src/features/';
/** Folders above all features, which no feature may import. */
const ABOVE = '^src/(pages|transport|operator|cli)/|^src/(main|app|app\\.module)\\.ts$';
const TRANSPORT = ['\\.(resolver|controller|gateway)\\.ts$', '^src/(transport|pages)/'];
/** Bundled for browsers, with what it imports. */
const BROWSER = '^src/pages/browser/';
const STORE = '\\.store\\.ts$';
const DIGESTS = ['^(node:)?crypto$', '(^|node_modules/)@noble/hashes(/|$)'];
const DIGEST_FILES = '^src/fairness/digest(\\.browser)?\\.ts$';
const DATABASE_PROGRAM = '^src/cli/db-[^/]*\\.ts$';

/** What a folder of a layer must not import. */
const outOfReach = (layers, folder, layer) =>
  layers
    .slice(layer)
    .flat()
    .filter((other) => other !== folder);

/** A rule for each folder of these layers: it imports only folders of lower layers. */
const belowOthers = (layers, parent, prefix) =>
  layers.flatMap((folders, layer) =>
    folders
      .filter((folder) => outOfReach(layers, folder, layer).length > 0)
      .map((folder) =>
        error(
          `${prefix}${folder}-below`,
          `${folder} must not import ${outOfReach(layers, folder, layer).join(', ')}.`,
          { path: `^src/${parent}/${folder}/` },
          { path: `^src/${parent}/(${outOfReach(layers, folder, layer).join('|')})/` },
        ),
      ),
  );

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
    'src/rules must not import anything outside itself.',
    { path: '^src/rules/' },
    { pathNot: '^src/rules/' },
  ),
  error(
    'arbiter-is-pure',
    'src/arbiter must not import anything but src/rules.',
    { path: '^src/arbiter/' },
    { pathNot: '^src/(arbiter|rules)/' },
  ),
  error(
    'arbiter-knows-no-game',
    'src/arbiter may import only types from src/rules, and values from ruleset.ts and result.ts.',
    { path: '^src/arbiter/' },
    {
      path: '^src/rules/',
      pathNot: '^src/rules/(ruleset|result|shown)\\.ts$',
      dependencyTypesNot: ['type-only'],
    },
  ),
  error(
    'fairness-is-pure',
    'src/fairness may import only src/rules, src/arbiter (to replay the acts of a record), the JSON reader of src/formats, canonicalize, and one package for each digest and for signatures.',
    { path: '^src/fairness/' },
    {
      pathNot: [
        '^src/(fairness|rules|arbiter)/',
        '^src/formats/(json-nodes|fault)\\.ts$',
        '(^|node_modules/)canonicalize(/|$)',
        ...DIGESTS,
        '(^|node_modules/)@noble/curves/',
      ],
    },
  ),
  error(
    'fairness-runs-in-browsers',
    'In src/fairness only the two digest files may depend on Node or the browser.',
    { path: '^src/fairness/', pathNot: DIGEST_FILES },
    { path: DIGESTS },
  ),
  error(
    'formats-are-pure',
    'src/formats must not import anything but src/rules.',
    { path: '^src/formats/' },
    { pathNot: '^src/(formats|rules)/' },
  ),
  error(
    'boards-are-pure',
    'The drawing of boards imports the rules alone.',
    { path: '^src/boards/' },
    { pathNot: '^src/(boards|rules)/' },
  ),
  error(
    'families-apart',
    'A family of games must not import another.',
    { path: '^src/rules/([^/]+)/' },
    { path: '^src/rules/[^/]+/', pathNot: '^src/rules/$1/' },
  ),
  error(
    'families-by-registry',
    'Code shared by all families must not import a family; only the registry does.',
    { path: '^src/rules/[^/]+\\.ts$', pathNot: '^src/rules/registry\\.ts$' },
    { path: '^src/rules/[^/]+/' },
  ),
];

const wrapped = [
  error(
    'canonicalize-typed-once',
    'Only src/fairness/json.ts may import canonicalize, whose types are wrong; import canonicalJson from there.',
    { path: '^src/', pathNot: '^src/fairness/json\\.ts$' },
    { path: '(^|node_modules/)canonicalize(/|$)' },
  ),
];

const client = [
  error(
    'client-stands-alone',
    'The client must not import the server or Node: only its own files, openapi-fetch and eventsource-parser.',
    { path: '^packages/client/(src|dist)/' },
    {
      pathNot: ['^packages/client/', '(^|node_modules/)(openapi-fetch|eventsource-parser)(/|$)'],
    },
  ),
  error(
    'client-for-programs',
    'Only src/cli may import the client: the server must not call itself over HTTP.',
    { path: '^src/', pathNot: '^src/cli/' },
    { path: '^packages/' },
  ),
  error(
    'client-as-built',
    'Programs must import the client as it is built, since the sources are not in the image.',
    { path: '^src/' },
    { path: '^packages/', pathNot: '^packages/[^/]+/dist/' },
  ),
];

const elements = [
  error(
    'elements-stand-alone',
    'The elements must import nothing but the client, the drawing of boards, how rules name squares and seats, and Preact.',
    { path: '^packages/elements/src/' },
    {
      pathNot: [
        '^packages/(elements|client)/src/',
        '^src/boards/',
        '^src/rules/(board|ruleset)\\.ts$',
        '(^|node_modules/)preact(/|$)',
      ],
    },
  ),
];

const browser = [
  error(
    'browser-stands-alone',
    'Code for browsers must not import the server, only the pure cores.',
    { path: BROWSER },
    { pathNot: `${BROWSER}|^src/(rules|arbiter|fairness|formats|boards)/` },
  ),
  error(
    'browser-is-bundled',
    'The server must not import code for browsers: it serves what the build makes of it.',
    { path: '^src/', pathNot: BROWSER },
    { path: BROWSER },
  ),
];

const database = [
  error(
    'prisma-in-stores',
    'Only stores, src/platform/database and the database programs may import Prisma, including its types.',
    { pathNot: [STORE, '^src/platform/database/', '^src/generated/', DATABASE_PROGRAM] },
    { path: ['^src/generated/prisma', '(^|node_modules/)@prisma/'] },
  ),
  error(
    'drivers-in-database',
    'Only src/platform/database and the database programs may import database drivers.',
    { pathNot: ['^src/platform/database/', DATABASE_PROGRAM] },
    { path: '(^|node_modules/)(pg|pglite-prisma-adapter|@electric-sql/pglite)(/|$)' },
  ),
  error(
    'features-through-stores',
    'Features must use the database through their stores; they may import types, to pass a transaction on.',
    { path: ['^src/engine/', FEATURES], pathNot: [STORE, '\\.module\\.ts$'] },
    { path: '^src/platform/database/', dependencyTypesNot: ['type-only'] },
  ),
  error(
    'own-store-only',
    "A feature must not import another feature's store.",
    { path: '^src/(features/[^/]+|[^/]+)/' },
    { path: '^src/.*\\.store\\.ts$', pathNot: ['^src/$1/', '^src/platform/'] },
  ),
  error(
    'platform-stores-for-stores',
    'Only stores may call the stores of src/platform, inside their own transactions.',
    { path: '^src/', pathNot: ['^src/platform/', STORE, '\\.module\\.ts$'] },
    { path: '^src/platform/.*\\.store\\.ts$' },
  ),
];

const transports = [
  error(
    'transports-without-stores',
    'A transport must call its service, not a store.',
    { path: TRANSPORT },
    { path: STORE },
  ),
  error(
    'transports-without-rules',
    'A transport may import only types from src/rules, and how messages show a value.',
    { path: TRANSPORT, pathNot: BROWSER },
    { path: '^src/rules/', pathNot: '^src/rules/shown\\.ts$', dependencyTypesNot: ['type-only'] },
  ),
];

const order = [
  error(
    'platform-below-features',
    'src/platform must not import a feature.',
    { path: '^src/platform/' },
    { path: ['^src/engine/', FEATURES, ABOVE] },
  ),
  error(
    'engine-below-features',
    'src/engine must not import a feature.',
    { path: '^src/engine/' },
    { path: [FEATURES, ABOVE] },
  ),
  error(
    'features-below-pages',
    'A feature must not import a page, a transport or a program.',
    { path: FEATURES },
    { path: ABOVE },
  ),
  error(
    'features-are-known',
    'A feature must be listed in LAYERS.',
    { path: FEATURES, pathNot: `^src/features/(${LAYERS.flat().join('|')})/` },
    {},
  ),
  error(
    'rooms-are-known',
    'A room of src/platform must be listed in ROOMS; only its module stands beside them.',
    {
      path: '^src/platform/',
      pathNot: `^src/platform/((${ROOMS.flat().join('|')})/|platform\\.module\\.ts$)`,
    },
    {},
  ),
  ...belowOthers(LAYERS, 'features', ''),
  ...belowOthers(ROOMS, 'platform', 'platform-'),
  error(
    'programs-are-ends',
    'A program must not be imported.',
    { path: '^src/', pathNot: '^src/(cli/|main\\.ts$)' },
    { path: '^src/(cli/|main\\.ts$)' },
  ),
];

const hygiene = [
  error(
    'no-cycles',
    'Imports must not form a cycle.',
    { pathNot: '^(src|packages/client/src)/generated/' },
    { circular: true },
  ),
  error('resolvable', 'Every import must resolve.', {}, { couldNotResolve: true }),
  error(
    'ships-what-it-uses',
    'The server must not import development dependencies, except digest.browser.ts, which is bundled into dist/verify.js.',
    { path: '^src/', pathNot: '^src/fairness/digest\\.browser\\.ts$' },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  ),
];

module.exports = {
  forbidden: [
    ...cores,
    ...wrapped,
    ...client,
    ...elements,
    ...browser,
    ...database,
    ...transports,
    ...order,
    ...hygiene,
  ],
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
