import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, parseConfig } from '../../src/config.js';
import { NUMBERS } from '../../src/settings.js';
import { runChild } from '../support/children.js';

const SECRETS = {
  TOKEN_SECRET: 't'.repeat(32),
  SEED_SECRET: 's'.repeat(32),
  SIGNING_SECRET: 'g'.repeat(32),
};
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halfmove-config-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const complaint = (environment: Record<string, string>): string => {
  try {
    parseConfig({ DATA_DIR: folder, ...environment });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
  }
  throw new Error('The configuration was accepted');
};

test('without settings it uses the embedded database on this machine only, with its own secrets', () => {
  const config = parseConfig({ DATA_DIR: folder });
  expect(config).toMatchObject({ port: 3000, host: '127.0.0.1', databaseUrl: null, production: false });
  expect(Object.isFrozen(config)).toBe(true);
  expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  const { tokenSecret, seedSecret, signingSecrets } = config;
  expect(signingSecrets).toHaveLength(1);
  expect(new Set([tokenSecret, seedSecret, ...signingSecrets]).size).toBe(3);
  expect(parseConfig({ DATA_DIR: folder })).toEqual(config);
});

test('an empty value counts as unset', () => {
  expect(parseConfig({ DATA_DIR: folder, PORT: '', DATABASE_URL: '' })).toMatchObject({
    port: 3000,
    databaseUrl: null,
  });
});

test.each([
  ['PORT', 'http', /PORT must be a whole number from 0 to 65535; got "http"/],
  ['PORT', '70000', /PORT must be a whole number from 0 to 65535/],
  ['PORT', '80.5', /PORT must be a whole number from 0 to 65535/],
  ['NODE_ENV', 'prod', /NODE_ENV must be one of development, test, production/],
  ['DATABASE_URL', 'mysql://x', /DATABASE_URL must be an address such as postgresql:/],
  ['TOKEN_SECRET', 'short', /TOKEN_SECRET must be at least 32 bytes/],
  ['SEED_SECRET', 'x'.repeat(31), /SEED_SECRET must be at least 32 bytes/],
  ['SIGNING_SECRET', 'short', /SIGNING_SECRET must be at least 32 bytes/],
  ['SIGNING_SECRET', ',', /SIGNING_SECRET must be at least 32 bytes/],
  ['SIGNING_SECRET', `${'x'.repeat(32)},short`, /SIGNING_SECRET must be at least 32 bytes/],
  ['SIGNING_SECRET', `${'x'.repeat(32)},${'x'.repeat(32)}`, /SIGNING_SECRET must be .* different secrets/],
  ['PUBLIC_URL', 'ftp://x', /PUBLIC_URL must be an address/],
  ['PUBLIC_URL', 'https://example.org/log/', /PUBLIC_URL must be an address that does not end in \/log/],
  ['LOG_LEVEL', 'loud', /LOG_LEVEL must be one of fatal/],
  ['TRUST_PROXY', 'true', /TRUST_PROXY must be a whole number from 0 to 10/],
  ['SWEEP_SECONDS', '0', /SWEEP_SECONDS must be a whole number from 1/],
  ['PORT', ' ', /PORT must be a whole number/],
  ['PORT', '1e2', /PORT must be a whole number/],
  ['DATABASE_URL', 'postgres://a:b/c@d@127.0.0.1:5432/e', /DATABASE_URL must be an address/],
  ['DATABASE_URL', 'postgres://a@127.0.0.1:99999/e', /DATABASE_URL must be an address/],
  ['CORS_ORIGINS', 'foo', /CORS_ORIGINS must be \*, none, or addresses/],
  ['CORS_ORIGINS', 'https://a.example/', /CORS_ORIGINS must be \*, none, or addresses/],
  ['MIN_FREE_MB', '-1', /MIN_FREE_MB must be a whole number from 0/],
  ['CORS_ORIGINS', 'foo', /separated by commas; got "foo"$/],
])('refuses %s=%s and says what is allowed', (name, value, words) => {
  expect(complaint({ [name]: value })).toMatch(words);
});

test.each(['DATABASE_URL', 'TOKEN_SECRET', 'SEED_SECRET', 'SIGNING_SECRET'])('does not repeat %s', (name) => {
  expect(complaint({ [name]: 'mysql://me:hush@x' })).toMatch(new RegExp(`${name} must be (?!.*hush)`));
});

test.each(Object.entries(NUMBERS))(
  '%s accepts its minimum and maximum, and nothing beyond',
  (name, { min, max }) => {
    const range = `${name} must be a whole number from ${min} to ${max}`;
    for (const value of [min, max]) parseConfig({ DATA_DIR: folder, [name]: String(value) });
    for (const value of [min - 1, max + 1]) expect(complaint({ [name]: String(value) })).toContain(range);
  },
);

test('numbers are in the configuration under their names', () => {
  const config = parseConfig({ DATA_DIR: folder, MAX_OPEN_SEEKS: '7', MIN_FREE_MB: '2' });
  expect(config).toMatchObject({ maxOpenSeeks: 7, minFreeBytes: 2 * 1024 * 1024, messagesPerMinute: 10 });
  expect(Object.keys(config).filter((name) => name.includes('_'))).toEqual([]);
});

test('lists all mistakes at once', () => {
  const message = complaint({ PORT: 'x', LOG_LEVEL: 'loud', NODE_ENV: 'production' });
  for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'TOKEN_SECRET', 'SEED_SECRET', 'SIGNING_SECRET']) {
    expect(message).toContain(`- ${name} must be`);
  }
});

test('production requires a database and secrets, and creates none', () => {
  const database = { DATABASE_URL: 'postgresql://halfmove@db/halfmove' };
  expect(complaint({ NODE_ENV: 'production', ...SECRETS })).toMatch(/DATABASE_URL must be set/);
  expect(complaint({ NODE_ENV: 'production', ...database })).toMatch(/TOKEN_SECRET must be set/);
  const { SIGNING_SECRET: _, ...others } = SECRETS;
  expect(complaint({ NODE_ENV: 'production', ...database, ...others })).toMatch(/SIGNING_SECRET must be set/);
  const config = parseConfig({ NODE_ENV: 'production', DATA_DIR: folder, ...database, ...SECRETS });
  expect(config).toMatchObject({ production: true, tokenSecret: SECRETS.TOKEN_SECRET });
  expect(() => statSync(join(folder, 'secrets.json'))).toThrow();
});

test('refuses an impossible data folder with an explanation', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(complaint({ DATA_DIR: file })).toMatch(/DATA_DIR must be a folder that can be written to/);
});

test('the secrets must differ', () => {
  const same = 'x'.repeat(32);
  expect(complaint({ TOKEN_SECRET: same, SEED_SECRET: same })).toMatch(/SEED_SECRET must differ/);
  for (const name of ['TOKEN_SECRET', 'SEED_SECRET']) {
    const message = complaint({ ...SECRETS, [name]: same, SIGNING_SECRET: `${'g'.repeat(32)},${same}` });
    expect(message).toMatch(/SIGNING_SECRET must differ from TOKEN_SECRET and SEED_SECRET/);
  }
});

test('while the signing secret is changed there are two, the newest first', () => {
  const [older, newer] = ['o'.repeat(32), 'n'.repeat(32)];
  const config = parseConfig({ DATA_DIR: folder, SIGNING_SECRET: `${newer}, ${older}` });
  expect(config.signingSecrets).toEqual([newer, older]);
});

describe('the file of secrets', () => {
  const stored = (): unknown => JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'));

  test('is the same for processes that start at once', async () => {
    const program = `import { parseConfig } from './dist/config.js';
      console.log(parseConfig({ DATA_DIR: process.argv[1] }).signingSecrets[0]);`;
    const start = () => runChild('--input-type=module', ['--eval', program, folder]).ended();
    const said = await Promise.all(Array.from({ length: 4 }, start));
    expect(new Set(said.map(({ stdout }) => stdout.trim()))).toEqual(
      new Set([(stored() as { signingSecret: string }).signingSecret]),
    );
    expect(readdirSync(folder)).toEqual(['secrets.json']);
  });

  test('is complete or missing when the start is killed before the last step', async () => {
    const program = `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      fs.linkSync = () => process.kill(process.pid, 'SIGKILL');
      syncBuiltinESMExports();
      const { parseConfig } = await import('./dist/config.js');
      parseConfig({ DATA_DIR: process.argv[1] });`;
    const { signal } = await runChild('--input-type=module', ['--eval', program, folder]).ended();
    expect(signal).toBe('SIGKILL');
    expect(readdirSync(folder)).not.toContain('secrets.json');
    const { signingSecrets } = parseConfig({ DATA_DIR: folder });
    expect(stored()).toMatchObject({ signingSecret: signingSecrets[0] });
  });

  test('with a broken or missing secret is left unchanged', () => {
    const others = { tokenSecret: '1'.repeat(64), seedSecret: '2'.repeat(64) };
    for (const content of [others, { ...others, signingSecret: 'short' }]) {
      writeFileSync(join(folder, 'secrets.json'), JSON.stringify(content), { mode: 0o600 });
      expect(complaint({})).toMatch(/cannot be read or is damaged/);
      expect(stored()).toEqual(content);
    }
  });
});

test('a damaged file of secrets stops the start and is left unchanged', () => {
  const path = join(folder, 'secrets.json');
  writeFileSync(path, '{"tokenSecret":');
  expect(complaint({})).toMatch(/cannot be read or is damaged/);
  expect(readFileSync(path, 'utf8')).toBe('{"tokenSecret":');
});
