import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The name of a test file says in which runs it takes part, as scripts/test.mjs reads it: `*.postgres.test.ts`
 * also or only on a PostgreSQL server, `*.long.test.ts` not in the quick suite, `*.full.test.ts` with more to do in the
 * full suite.
 */

const ON_SERVER = ['onClusters', 'onServer', 'SERVER', 'serverPlace', 'seededPlace'];
const MORE_IN_FULL = ['FULL', 'inFull', 'rounds', 'runs', 'sample'];

const importedFromSupport = (text: string): readonly string[] =>
  [...text.matchAll(/^import \{([^}]*)\} from '[^']*\/support\/[^']*';$/gm)].flatMap(([, names]) =>
    names!.split(',').map((name) => name.trim().replace(/^type /, '')),
  );

/** A file that runs unchanged on both databases imports nothing that tells: it has a comment that says why, as has a long one. */
const endingFor = (text: string): string => {
  const imported = importedFromSupport(text);
  const uses = (words: readonly string[]): boolean => imported.some((name) => words.includes(name));
  const postgres = uses(ON_SERVER) || /^\/\/ Both databases: \S/m.test(text) ? '.postgres' : '';
  const long = /^\/\/ Long: \S/m.test(text) ? '.long' : '';
  return `${postgres}${long}${uses(MORE_IN_FULL) ? '.full' : ''}.test.ts`;
};

const endingOf = (path: string): string => /(\.(postgres|long|full))*\.test\.ts$/.exec(path)![0];

const paths = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test', path));

test.each(paths)('%s', (path) => {
  expect(endingOf(path)).toBe(endingFor(readFileSync(path, 'utf8')));
});

test('a file is named after what it imports, not after what it says otherwise', () => {
  const imports = (names: string, from: string) => `import { ${names} } from '../support/${from}.js';\n`;
  const both = '// Both databases: each has its own.\n';
  const long = '// Long: it starts programs.\n';
  const full = imports('printCounts,\n  rounds', 'scale');
  expect(endingFor('')).toBe('.test.ts');
  expect(endingFor(imports('SEED, onEmbedded', 'scale'))).toBe('.test.ts');
  expect(endingFor("const onServer = 'rounds';")).toBe('.test.ts');
  expect(endingFor(full)).toBe('.full.test.ts');
  expect(endingFor(imports('onServer', 'scale'))).toBe('.postgres.test.ts');
  expect(endingFor(imports('serverPlace, type Place', 'databases'))).toBe('.postgres.test.ts');
  expect(endingFor(full + both)).toBe('.postgres.full.test.ts');
  expect(endingFor(full + both + long)).toBe('.postgres.long.full.test.ts');
});
