import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NUMBERS, parseConfig } from '../../src/config.js';

/** .env.example, docs/operating.md, docker-compose.yml and src/config.ts have the same variables. */

const matches = (path: string, pattern: RegExp): readonly string[] =>
  [...readFileSync(path, 'utf8').matchAll(pattern)].map((match) => match[1]!);

const known = matches('src/config.ts', /^ {2}([A-Z][A-Z0-9_]*):/gm);
const example = matches('.env.example', /^(?:# )?([A-Z][A-Z0-9_]*)=/gm);
const compose = readFileSync('docker-compose.yml', 'utf8');
const interpolated = matches('docker-compose.yml', /\$\{([A-Z0-9_]+)/g);

const sorted = (names: readonly string[]) => [...new Set(names)].sort();

test('the configuration is found', () => {
  expect(known).toEqual(expect.arrayContaining(['PORT', 'DATABASE_URL', 'LOG_LEVEL']));
});

test('.env.example documents every variable once, and no others', () => {
  expect(sorted(example)).toHaveLength(example.length);
  expect(sorted(example)).toEqual(sorted([...known, ...interpolated]));
});

test('the values in .env.example are the defaults', () => {
  const folder = mkdtempSync(join(tmpdir(), 'halfmove-env-'));
  try {
    const lines = readFileSync('.env.example', 'utf8').matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$/gm);
    const values = Object.fromEntries([...lines].map(([, name, value]) => [name!, value]));
    expect(values['DATA_DIR']).toBe('data');
    expect(parseConfig({ ...values, DATA_DIR: folder })).toEqual(parseConfig({ DATA_DIR: folder }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('.env.example states the range of every number', () => {
  const paragraphs = readFileSync('.env.example', 'utf8').split('\n\n');
  const unsaid = Object.entries(NUMBERS).filter(([name, [min, max]]) => {
    const about = paragraphs.find((paragraph) => new RegExp(`^# ${name}=`, 'm').test(paragraph)) ?? '';
    return !about.replaceAll(/\s#?\s*/g, ' ').includes(`${min} to ${max}`);
  });
  expect(unsaid).toEqual([]);
});

test('docs/operating.md lists every variable of the server with its default and its range', () => {
  const rows = [
    ...readFileSync('docs/operating.md', 'utf8').matchAll(/^\| `([A-Z0-9_]+)` \| ([^|]+) \| ([^|]+) \| /gm),
  ];
  expect(sorted(rows.map(([, name]) => name!))).toEqual(sorted(known));
  const numbers = rows.filter(([, name]) => name! in NUMBERS).map(([, ...cells]) => cells);
  expect(numbers).toEqual(
    numbers.map(([name]) => {
      const [min, max, fallback] = NUMBERS[name as keyof typeof NUMBERS];
      return [name, String(fallback), `${min} to ${max}`];
    }),
  );
});

test('docker-compose.yml sets only known variables of the server', () => {
  const server = compose.slice(compose.indexOf('  server:'), compose.indexOf('  postgres:'));
  const given = [...server.matchAll(/^ {6}([A-Z][A-Z0-9_]*):/gm)].map((match) => match[1]!);
  expect(given.length).toBeGreaterThan(3);
  expect(given.filter((name) => !known.includes(name))).toEqual([]);
});

test('docker-compose.yml passes on every variable that it does not set itself', () => {
  const ofTheImage = [
    'NODE_ENV',
    'HOST',
    'DATA_DIR',
    'DATABASE_URL',
    'MIN_FREE_MB',
    'CHECKPOINT_SECONDS',
    'WATCHDOG_SECONDS',
  ];
  expect(sorted([...interpolated, ...ofTheImage])).toEqual(sorted(example));
});
