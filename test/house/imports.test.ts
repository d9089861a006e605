import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The rules of .dependency-cruiser.cjs report what they forbid, and nothing that is allowed. */

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
}

const root = resolve('.');
const IMPORTS = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<'imports', string> })
  .scripts.imports;
const trees: string[] = [];

/** Creates a tree of small files; each is given as the modules that it imports. */
function tree(files: Readonly<Record<string, readonly string[]>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'halfmove-imports-'));
  trees.push(folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  for (const [path, imports] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const lines = imports.map((statement, i) =>
      statement.startsWith('type ')
        ? `import type { a as a${i} } from '${statement.slice(5)}';\nexport type t${i} = typeof a${i};`
        : `import { a as a${i} } from '${statement}';\nconsole.log(a${i});`,
    );
    writeFileSync(join(folder, path), `${lines.join('\n')}\nexport const a = 1;\n`);
  }
  return folder;
}

function cruise(folder: string): Promise<readonly Violation[]> {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(root, '.dependency-cruiser.cjs');
  // The folders that `npm run imports` looks at.
  const folders = IMPORTS.split('err-long ')[1]!.split(' ');
  const args = [program, '--config', config, '--output-type', 'json', ...folders];
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      try {
        done((JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations);
      } catch {
        fail(new Error(`${error?.message}\n${stderr}`));
      }
    });
  });
}

const FLOOR = {
  'src/config.ts': ['zod'],
  'packages/client/src/client.ts': ['type ./generated/rest.js', 'openapi-fetch', 'eventsource-parser'],
  'packages/client/src/generated/rest.ts': [],
  'packages/client/dist/client.ts': ['openapi-fetch', 'eventsource-parser'],
  'src/generated/prisma/client.ts': ['@prisma/client'],
  'src/platform/errors/errors.ts': [],
  'src/platform/database/prisma.ts': [
    '../../generated/prisma/client.js',
    '@prisma/adapter-pg',
    'pg',
    '../../config.js',
  ],
  'src/platform/graphql/j12.ts': ['../errors/errors.js'],
  'src/platform/events/announcements.store.ts': ['../database/prisma.js'],
  'src/rules/ruleset.ts': [],
  'src/rules/play.ts': ['./ruleset.js'],
  'src/rules/registry.ts': ['./chess/chess.js', './facedown/banqi.js'],
  'src/rules/chess/chess.ts': ['../ruleset.js'],
  'src/rules/facedown/banqi.ts': ['../ruleset.js'],
  'src/arbiter/acts.ts': ['type ../rules/play.js', '../rules/ruleset.js'],
  'src/fairness/digest.ts': ['node:crypto'],
  'src/fairness/digest.browser.ts': ['@noble/hashes/sha2.js'],
  'src/fairness/json.ts': ['canonicalize'],
  'src/fairness/chain.ts': ['./digest.js', './json.js', '../rules/registry.js', '../arbiter/acts.js'],
  'src/fairness/strict-json.ts': ['../formats/json-nodes.js', 'type ../formats/fault.js'],
  'src/formats/json-nodes.ts': ['./fault.js'],
  'src/formats/fault.ts': [],
  'src/boards/board.ts': ['type ../rules/registry.js', '../rules/ruleset.js'],
  'src/formats/formats.ts': ['../rules/registry.js', 'type ../rules/play.js'],
  'src/engine/engine.service.ts': [
    '../arbiter/acts.js',
    '../fairness/chain.js',
    '../rules/play.js',
    './deals.store.js',
  ],
  'src/engine/deals.store.ts': ['../platform/database/prisma.js', 'type ../generated/prisma/client.js'],
  'src/features/users/users.store.ts': ['../../platform/database/prisma.js'],
  'src/features/users/users.service.ts': ['./users.store.js', '../../platform/errors/errors.js'],
  'src/features/auth/auth.guard.ts': ['../users/users.service.js'],
  'src/features/blocks/blocks.service.ts': ['../users/users.service.js', 'type ../auth/auth.guard.js'],
  'src/features/notifications/notifications.service.ts': [
    'type ../auth/auth.guard.js',
    '../games/games.service.js',
  ],
  'src/features/ratings/ratings.service.ts': ['../users/users.service.js'],
  'src/features/games/games.store.ts': [
    '../../platform/database/prisma.js',
    '../../platform/events/announcements.store.js',
    '../../generated/prisma/client.js',
  ],
  'src/features/games/games.service.ts': [
    '../../engine/engine.service.js',
    './games.store.js',
    'type ../../platform/database/prisma.js',
    '../ratings/ratings.service.js',
  ],
  'src/features/games/games.controller.ts': [
    './games.service.js',
    '../auth/auth.guard.js',
    'type ../../rules/ruleset.js',
  ],
  'src/features/matchmaking/seeks.store.ts': ['../../platform/database/prisma.js'],
  'src/features/matchmaking/seeks.service.ts': ['./seeks.store.js', '../games/games.service.js'],
  'src/features/boards/boards.service.ts': ['../games/games.service.js', '../../boards/board.js'],
  'src/features/history/history.service.ts': ['../games/games.service.js'],
  'src/features/imports/imports.service.ts': ['../../engine/engine.service.js', '../../formats/formats.js'],
  'src/features/exports/exports.service.ts': ['../games/games.service.js', '../../formats/formats.js'],
  'src/features/changes/changes.service.ts': [
    '../matchmaking/seeks.service.js',
    '../imports/imports.service.js',
  ],
  'src/features/events/events.service.ts': ['../changes/changes.service.js'],
  'src/features/accounts/accounts.service.ts': [
    '../changes/changes.service.js',
    '../exports/exports.service.js',
  ],
  'src/features/guests/guests.service.ts': ['../accounts/accounts.service.js'],
  'src/features/applications/applications.service.ts': ['../accounts/accounts.service.js'],
  'src/features/integrations/hooks.ts': ['../games/games.service.js'],
  'src/pages/browser/verify/page.ts': ['../shown.js', '../../../fairness/chain.js', '../../../rules/play.js'],
  'src/pages/browser/shown.ts': [],
  'src/pages/pages.ts': ['../features/accounts/accounts.service.js'],
  'src/transport/sockets.ts': ['../features/auth/auth.guard.js', '../platform/errors/errors.js'],
  'src/cli/demo.ts': ['../../packages/client/dist/client.js'],
  'src/cli/db-export.ts': ['../platform/database/prisma.js', '@prisma/adapter-pg', 'pg'],
  'src/main.ts': ['./features/games/games.controller.js', './features/matchmaking/seeks.service.js'],
};

/** Rule, the file that breaks it, what that file imports, and where the import leads. */
const BROKEN: readonly (readonly [rule: string, from: string, imports: string, to: RegExp])[] = [
  ['rules-are-pure', 'src/rules/a1.ts', 'node:crypto', /crypto$/],
  ['rules-are-pure', 'src/rules/a2.ts', '../platform/errors/errors.js', /errors\.ts$/],
  ['rules-are-pure', 'src/rules/a3.ts', 'type ../config.js', /config\.ts$/],
  ['rules-are-pure', 'src/rules/chess/a4.ts', '@nestjs/common', /@nestjs\/common/],
  ['rules-are-pure', 'src/rules/a5.ts', '../arbiter/acts.js', /acts\.ts$/],
  ['arbiter-is-pure', 'src/arbiter/b1.ts', 'node:timers', /timers$/],
  ['arbiter-is-pure', 'src/arbiter/b2.ts', '../fairness/chain.js', /chain\.ts$/],
  ['arbiter-is-pure', 'src/arbiter/b3.ts', '@nestjs/common', /@nestjs\/common/],
  ['arbiter-knows-no-game', 'src/arbiter/b4.ts', '../rules/registry.js', /registry\.ts$/],
  ['arbiter-knows-no-game', 'src/arbiter/b5.ts', '../rules/chess/chess.js', /chess\.ts$/],
  ['fairness-is-pure', 'src/fairness/c1.ts', 'node:fs', /fs$/],
  ['fairness-is-pure', 'src/fairness/c2.ts', '../engine/engine.service.js', /engine\.service\.ts$/],
  ['fairness-is-pure', 'src/fairness/c3.ts', 'type ../formats/formats.js', /formats\.ts$/],
  ['fairness-is-pure', 'src/fairness/c4.ts', 'uuid', /uuid/],
  ['fairness-is-pure', 'src/fairness/c5.ts', '../formats/formats.js', /formats\.ts$/],
  ['fairness-runs-in-browsers', 'src/fairness/c6.ts', 'node:crypto', /crypto$/],
  ['fairness-runs-in-browsers', 'src/fairness/c7.ts', '@noble/hashes/sha2.js', /sha2\.js$/],
  ['canonicalize-typed-once', 'src/fairness/c8.ts', 'canonicalize', /canonicalize/],
  ['canonicalize-typed-once', 'src/platform/contract/c9.ts', 'canonicalize', /canonicalize/],
  ['formats-are-pure', 'src/formats/c5.ts', 'zod', /zod/],
  ['formats-are-pure', 'src/formats/c6.ts', 'type ../arbiter/acts.js', /acts\.ts$/],
  ['boards-are-pure', 'src/boards/c8.ts', 'node:fs', /fs$/],
  ['boards-are-pure', 'src/boards/c9.ts', '../platform/errors/errors.js', /errors\.ts$/],
  [
    'client-stands-alone',
    'packages/client/src/c7.ts',
    '../../../src/platform/errors/errors.js',
    /errors\.ts$/,
  ],
  ['client-stands-alone', 'packages/client/src/c8.ts', 'type ../../../src/rules/ruleset.js', /ruleset\.ts$/],
  ['client-stands-alone', 'packages/client/src/c9.ts', 'node:crypto', /crypto$/],
  ['client-stands-alone', 'packages/client/src/c10.ts', 'graphql', /graphql/],
  ['resolvable', 'packages/client/src/c11.ts', './nowhere.js', /nowhere/],
  [
    'client-for-programs',
    'src/features/games/c11.ts',
    '../../../packages/client/dist/client.js',
    /client\.ts$/,
  ],
  ['client-as-built', 'src/cli/c18.ts', '../../packages/client/src/client.js', /client\.ts$/],
  ['elements-stand-alone', 'packages/elements/src/c19.ts', '../../../src/rules/registry.js', /registry\.ts$/],
  ['elements-stand-alone', 'packages/elements/src/c20.ts', 'type ../../../src/pages/pages.js', /pages\.ts$/],
  ['browser-stands-alone', 'src/pages/browser/verify/c12.ts', '../../pages.js', /pages\.ts$/],
  ['browser-stands-alone', 'src/pages/browser/c13.ts', 'type ../../platform/errors/errors.js', /errors\.ts$/],
  ['browser-stands-alone', 'src/pages/browser/c14.ts', 'node:fs', /fs$/],
  ['browser-stands-alone', 'src/pages/browser/c15.ts', 'graphql', /graphql/],
  ['browser-is-bundled', 'src/pages/c16.ts', './browser/shown.js', /shown\.ts$/],
  ['browser-is-bundled', 'src/fairness/c17.ts', 'type ../pages/browser/shown.js', /shown\.ts$/],
  ['families-apart', 'src/rules/chess/d1.ts', '../facedown/banqi.js', /banqi\.ts$/],
  ['families-apart', 'src/rules/facedown/d2.ts', 'type ../chess/chess.js', /chess\.ts$/],
  ['families-by-registry', 'src/rules/d3.ts', './chess/chess.js', /chess\.ts$/],
  ['prisma-in-stores', 'src/features/games/e1.service.ts', '../../generated/prisma/client.js', /client\.ts$/],
  [
    'prisma-in-stores',
    'src/features/games/e2.service.ts',
    'type ../../generated/prisma/client.js',
    /client\.ts$/,
  ],
  ['prisma-in-stores', 'src/engine/e3.service.ts', '@prisma/client', /@prisma\/client/],
  ['prisma-in-stores', 'src/platform/http/e4.ts', 'type @prisma/client', /@prisma\/client/],
  ['prisma-in-stores', 'src/cli/e5.ts', '@prisma/adapter-pg', /@prisma\/adapter-pg/],
  ['drivers-in-database', 'src/features/games/e6.store.ts', 'pg', /node_modules\/pg\//],
  ['drivers-in-database', 'src/features/games/e7.store.ts', '@electric-sql/pglite', /pglite/],
  [
    'features-through-stores',
    'src/features/games/e8.service.ts',
    '../../platform/database/prisma.js',
    /prisma\.ts$/,
  ],
  ['own-store-only', 'src/features/matchmaking/f1.store.ts', '../games/games.store.js', /games\.store\.ts$/],
  ['own-store-only', 'src/features/games/f2.service.ts', '../../engine/deals.store.js', /deals\.store\.ts$/],
  [
    'own-store-only',
    'src/platform/http/f3.ts',
    'type ../../features/users/users.store.js',
    /users\.store\.ts$/,
  ],
  [
    'platform-stores-for-stores',
    'src/features/games/f4.service.ts',
    '../../platform/events/announcements.store.js',
    /announcements\.store\.ts$/,
  ],
  [
    'transports-without-stores',
    'src/features/games/g1.controller.ts',
    './games.store.js',
    /games\.store\.ts$/,
  ],
  [
    'transports-without-stores',
    'src/features/games/g2.resolver.ts',
    'type ./games.store.js',
    /games\.store\.ts$/,
  ],
  ['transports-without-stores', 'src/features/games/g3.gateway.ts', './games.store.js', /games\.store\.ts$/],
  ['transports-without-rules', 'src/features/games/g4.resolver.ts', '../../rules/play.js', /play\.ts$/],
  ['transports-without-rules', 'src/transport/g5.ts', '../rules/registry.js', /registry\.ts$/],
  [
    'platform-below-features',
    'src/platform/http/h1.ts',
    '../../features/auth/auth.guard.js',
    /auth\.guard\.ts$/,
  ],
  [
    'platform-below-features',
    'src/platform/http/h2.ts',
    'type ../../engine/engine.service.js',
    /engine\.service\.ts$/,
  ],
  ['engine-below-features', 'src/engine/h3.ts', '../features/games/games.service.js', /games\.service\.ts$/],
  ['users-below', 'src/features/users/h4.ts', '../auth/auth.guard.js', /auth\.guard\.ts$/],
  ['auth-below', 'src/features/auth/h5.ts', '../games/games.service.js', /games\.service\.ts$/],
  ['blocks-below', 'src/features/blocks/h8.ts', '../games/games.service.js', /games\.service\.ts$/],
  [
    'notifications-below',
    'src/features/notifications/h9.ts',
    '../history/history.service.js',
    /history\.service\.ts$/,
  ],
  ['rulesets-below', 'src/features/rulesets/h25.ts', '../games/games.service.js', /games\.service\.ts$/],
  ['ratings-below', 'src/features/ratings/h6.ts', '../games/games.service.js', /games\.service\.ts$/],
  ['guests-below', 'src/features/guests/h54.ts', '../integrations/hooks.js', /hooks\.ts$/],
  ['applications-below', 'src/features/applications/h55.ts', '../integrations/hooks.js', /hooks\.ts$/],
  ['delivery-below', 'src/features/delivery/h51.ts', '../auth/auth.guard.js', /auth\.guard\.ts$/],
  ['about-below', 'src/features/about/h52.ts', '../games/games.service.js', /games\.service\.ts$/],
  ['recovery-below', 'src/features/recovery/h53.ts', '../games/games.service.js', /games\.service\.ts$/],
  ['tokens-below', 'src/features/tokens/h18.ts', '../games/games.service.js', /games\.service\.ts$/],
  [
    'transparency-below',
    'src/features/transparency/h30.ts',
    '../games/games.service.js',
    /games\.service\.ts$/,
  ],
  ['games-below', 'src/features/games/h7.ts', 'type ../matchmaking/seeks.service.js', /seeks\.service\.ts$/],
  ['boards-below', 'src/features/boards/h31.ts', '../history/history.service.js', /history\.service\.ts$/],
  ['history-below', 'src/features/history/h10.ts', '../matchmaking/seeks.service.js', /seeks\.service\.ts$/],
  ['history-below', 'src/features/history/h12.ts', '../exports/exports.service.js', /exports\.service\.ts$/],
  [
    'matchmaking-below',
    'src/features/matchmaking/h11.ts',
    '../history/history.service.js',
    /history\.service\.ts$/,
  ],
  ['imports-below', 'src/features/imports/h13.ts', '../history/history.service.js', /history\.service\.ts$/],
  ['changes-below', 'src/features/changes/h14.ts', '../exports/exports.service.js', /exports\.service\.ts$/],
  [
    'exports-below',
    'src/features/exports/h15.ts',
    'type ../changes/changes.service.js',
    /changes\.service\.ts$/,
  ],
  ['news-below', 'src/features/news/h39.ts', '../changes/changes.service.js', /changes\.service\.ts$/],
  ['nodes-below', 'src/features/nodes/h32.ts', '../changes/changes.service.js', /changes\.service\.ts$/],
  ['events-below', 'src/features/events/h24.ts', '../accounts/accounts.service.js', /accounts\.service\.ts$/],
  ['accounts-below', 'src/features/accounts/h16.ts', '../integrations/hooks.js', /hooks\.ts$/],
  ['webhooks-below', 'src/features/webhooks/h56.ts', '../integrations/hooks.js', /hooks\.ts$/],
  ['calendar-below', 'src/features/calendar/h17.ts', '../games/games.service.js', /games\.service\.ts$/],
  [
    'vacations-below',
    'src/features/vacations/h18.ts',
    '../matchmaking/seeks.service.js',
    /seeks\.service\.ts$/,
  ],
  [
    'messages-below',
    'src/features/messages/h19.ts',
    '../history/history.service.js',
    /history\.service\.ts$/,
  ],
  [
    'openings-below',
    'src/features/openings/h20.ts',
    '../history/history.service.js',
    /history\.service\.ts$/,
  ],
  [
    'analysis-below',
    'src/features/analysis/h21.ts',
    '../matchmaking/seeks.service.js',
    /seeks\.service\.ts$/,
  ],
  [
    'transparency-below',
    'src/features/transparency/h24.ts',
    '../matchmaking/seeks.service.js',
    /seeks\.service\.ts$/,
  ],
  ['features-below-pages', 'src/features/accounts/h22.ts', '../../pages/pages.js', /pages\.ts$/],
  ['features-are-known', 'src/features/cellar/h23.ts', '../../config.js', /config\.ts$/],
  ['rooms-are-known', 'src/platform/j1.ts', './errors/errors.js', /errors\.ts$/],
  ['platform-errors-below', 'src/platform/errors/j2.ts', 'type ../process/j4.js', /j4\.ts$/],
  ['platform-process-below', 'src/platform/process/j3.ts', '../database/prisma.js', /prisma\.ts$/],
  ['platform-process-below', 'src/platform/process/j4.ts', '../contract/j5.js', /j5\.ts$/],
  ['platform-contract-below', 'src/platform/contract/j5.ts', '../database/prisma.js', /prisma\.ts$/],
  ['platform-database-below', 'src/platform/database/j6.ts', '../gathering/j8.js', /j8\.ts$/],
  ['platform-events-below', 'src/platform/events/j7.ts', '../gathering/j8.js', /j8\.ts$/],
  ['platform-gathering-below', 'src/platform/gathering/j8.ts', '../graphql/j12.js', /j12\.ts$/],
  ['platform-http-below', 'src/platform/http/j9.ts', '../limits/j11.js', /j11\.ts$/],
  ['platform-idempotency-below', 'src/platform/idempotency/j10.ts', '../limits/j11.js', /j11\.ts$/],
  ['platform-limits-below', 'src/platform/limits/j11.ts', '../graphql/j12.js', /j12\.ts$/],
  ['programs-are-ends', 'src/features/games/i1.ts', '../../cli/db-export.js', /db-export\.ts$/],
  ['resolvable', 'src/features/games/i2.ts', './nowhere.js', /nowhere/],
  ['ships-what-it-uses', 'src/features/games/i3.ts', 'fast-check', /fast-check/],
];

afterAll(() => {
  for (const folder of trees) rmSync(folder, { recursive: true, force: true });
});

test('accepts a tree in the allowed order', async () => {
  expect(await cruise(tree(FLOOR))).toEqual([]);
});

describe('a tree that breaks every rule', () => {
  let violations: readonly Violation[];

  beforeAll(async () => {
    const broken = Object.fromEntries(BROKEN.map(([, from, imports]) => [from, [imports]]));
    const circle = { 'src/features/users/y.ts': ['./z.js'], 'src/features/users/z.ts': ['type ./y.js'] };
    violations = await cruise(tree({ ...FLOOR, ...broken, ...circle }));
  });

  test.each(BROKEN)('%s: %s may not import %s', (rule, from, _imports, to) => {
    const found = violations.filter((violation) => violation.from === from && violation.rule.name === rule);
    expect(found.map((violation) => violation.to)).toEqual([expect.stringMatching(to)]);
  });

  test('no-cycles: two files import each other, one of them only types', () => {
    const found = violations.filter((violation) => violation.rule.name === 'no-cycles');
    expect(found.map((violation) => violation.from)).toContain('src/features/users/y.ts');
  });

  test('the tree breaks every rule', () => {
    const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
      forbidden: { name: string }[];
    };
    const fired = new Set(violations.map((violation) => violation.rule.name));
    expect(config.forbidden.map((rule) => rule.name).filter((name) => !fired.has(name))).toEqual([]);
  });
});
