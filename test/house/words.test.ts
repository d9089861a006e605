import { readFileSync } from 'node:fs';
import { ACTS } from '../../src/arbiter/acts/registry.js';

/** What is promised in words and numbers elsewhere, and is easily forgotten there. */

interface Package {
  readonly engines?: { readonly node?: string };
}

// Some do, for development alone: `overrides` of package.json holds them back, or leaves out what we do not use.
test('no package asks for a newer Node than the server', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, Package>>;
  };
  expect(Object.keys(packages).length).toBeGreaterThan(500);
  // As ">=22", and not "^18 || >=20".
  const isNewer = (range = '') => !range.split('||').some((part) => Number(/\d+/.exec(part)?.[0] ?? 0) <= 20);
  const newer = Object.entries(packages).filter(([, { engines }]) => isNewer(engines?.node));
  expect(newer.map(([name]) => name)).toEqual([]);
});

test('the schema says which way the deviation of a rating goes', () => {
  expect(readFileSync('schema.graphql', 'utf8')).toMatch(
    /The rating deviation as of now, 45 \(certain\) to 500 \(unknown\)/,
  );
});

test('what marks a node of conditional moves as unverified is explained', () => {
  expect(readFileSync('README.md', 'utf8')).toMatch(/"unverified": true/);
});

test('every control that docs/security.md names has its test', () => {
  const text = readFileSync('docs/security.md', 'utf8');
  const tests = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path!);
  expect(tests.length).toBeGreaterThan(30);
  for (const path of tests) expect([path, readFileSync(path, 'utf8').length > 0]).toEqual([path, true]);
  const rows = text.split('\n').filter((line) => /^\| (?!threat|---)/.test(line));
  expect(rows.filter((row) => !row.includes('`test/'))).toEqual([]);
});

test('every act has its row in the table of README.md, with its mutation and its route', () => {
  const rows = readFileSync('README.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const missing = ACTS.filter(({ name, path }) => {
    const route = `POST /v1/games/:id/${path.replace(/\/(accept|decline)$/, '')}\``;
    return !rows.some((row) => row.includes(`\`${name}\``) && row.includes(route));
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
});
