import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../../src/config.js';
import { GROUPS, NUMBERS, SETTINGS } from '../../src/settings.js';

/**
 * The settings and what people read of them. `npm run schema -- --check` compares the generated texts, which
 * these tests then read.
 */

const known = Object.keys(SETTINGS);
/** What Docker Compose alone reads. */
const COMPOSE = ['POSTGRES_PASSWORD', 'WITNESS_OF', 'WITNESS_NAME', 'WITNESS_PORT'];
const exampleLines = [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z][A-Z0-9_]*)=(.*)$/gm)];
const compose = readFileSync('docker-compose.yml', 'utf8');
const server = compose.slice(compose.indexOf('  server:'), compose.indexOf('  # A witness'));
const witness = compose.slice(compose.indexOf('\n  witness:'), compose.indexOf('\n  postgres:'));
const interpolated = [...compose.matchAll(/\$\{([A-Z0-9_]+)/g)].map((match) => match[1]!);

test('every setting is in one group, and has a range and a sentence', () => {
  expect(Object.values(GROUPS).flatMap(Object.keys)).toEqual(known);
  for (const { range, meaning } of Object.values(SETTINGS)) {
    expect(range).not.toBe('');
    expect(meaning).toMatch(/^[A-Z`].*\.$/);
  }
});

test('the default of every number is in its range', () => {
  for (const { min, max, byDefault } of Object.values(NUMBERS)) {
    expect(byDefault).toBeGreaterThanOrEqual(min);
    expect(byDefault).toBeLessThanOrEqual(max);
  }
});

test('the values in .env.example are the defaults of all settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'halfmove-env-'));
  try {
    const values = Object.fromEntries(exampleLines.map(([, name, value]) => [name!, value]));
    expect(Object.keys(values)).toEqual([...known, ...COMPOSE]);
    expect(values['DATA_DIR']).toBe('data');
    expect(parseConfig({ ...values, DATA_DIR: folder })).toEqual(parseConfig({ DATA_DIR: folder }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('docker-compose.yml sets and reads only what there is, and passes .env on', () => {
  const given = [...server.matchAll(/^ {6}([A-Z][A-Z0-9_]*):/gm)].map((match) => match[1]!);
  expect(given.length).toBeGreaterThan(3);
  expect([...given, ...interpolated].filter((name) => ![...known, ...COMPOSE].includes(name))).toEqual([]);
  expect(server).toMatch(/^ {4}env_file:\n {6}- path: \.env\n {8}required: false$/m);
});

test('docker-compose.yml limits each container, and gives the server a role that is no superuser', () => {
  const postgres = compose.slice(compose.indexOf('\n  postgres:'), compose.indexOf('configs:\n  role:'));
  for (const service of [server, witness, postgres])
    expect(service).toMatch(/^ {4}mem_limit: \d+[gm]\n {4}pids_limit: \d+$/m);
  expect(postgres).not.toContain('POSTGRES_USER');
  expect(compose).toContain(`CREATE ROLE halfmove LOGIN PASSWORD '\${POSTGRES_PASSWORD}';`);
});

test('docker-compose.yml sets itself what belongs to the container', () => {
  for (const name of ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL'])
    expect(server).toMatch(new RegExp(`^ {6}${name}: `, 'm'));
});
