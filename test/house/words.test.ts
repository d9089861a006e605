import { readFileSync } from 'node:fs';
import { ACTS } from '../../src/arbiter/acts/registry.js';

/** Statements in words and numbers elsewhere that are easily forgotten. */

interface Package {
  readonly engines?: { readonly node?: string };
}

// Some development packages do: `overrides` of package.json holds them back, or omits what we do not use.
test('no package requires a newer Node than the server', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, Package>>;
  };
  expect(Object.keys(packages).length).toBeGreaterThan(500);
  // Like ">=22", and unlike "^18 || >=20".
  const isNewer = (range = '') => !range.split('||').some((part) => Number(/\d+/.exec(part)?.[0] ?? 0) <= 20);
  const newer = Object.entries(packages).filter(([, { engines }]) => isNewer(engines?.node));
  expect(newer.map(([name]) => name)).toEqual([]);
});

test('the schema says which end of the deviation means certain', () => {
  expect(readFileSync('schema.graphql', 'utf8')).toMatch(
    /The rating deviation as of now, 45 \(certain\) to 500 \(unknown\)/,
  );
});

test('the unverified mark of conditional moves is explained', () => {
  expect(readFileSync('docs/playing.md', 'utf8')).toMatch(/"unverified": true/);
});

test('every control in docs/security.md has a test', () => {
  const text = readFileSync('docs/security.md', 'utf8');
  const tests = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path!);
  expect(tests.length).toBeGreaterThan(30);
  for (const path of tests) expect([path, readFileSync(path, 'utf8').length > 0]).toEqual([path, true]);
  const rows = text.split('\n').filter((line) => /^\| (?!threat|---)/.test(line));
  expect(rows.filter((row) => !row.includes('`test/'))).toEqual([]);
});

test('every act has its row in the tables of docs/api.md, with its mutation and its route', () => {
  const rows = readFileSync('docs/api.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const missing = ACTS.filter(({ name, path }) => {
    const route = `POST /v1/games/:id/${path.replace(/\/(accept|decline)$/, '')}\``;
    return !rows.some((row) => row.includes(`\`${name}\``) && row.includes(route));
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
});
