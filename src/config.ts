import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

/** The environment, parsed once: a frozen, typed value, or a list of what is wrong. */

const SECRET_BYTES = 32;

const wholeNumber = (min: number, max: number, fallback: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `a whole number from ${min} to ${max}`,
    })
    .transform(Number)
    .default(fallback);

const choice = <T extends string>(values: readonly [T, ...T[]], fallback: NoInfer<T>) =>
  z.enum(values, { error: `one of ${values.join(', ')}` }).default(fallback);

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** As browsers send it. */
const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

const secret = z
  .string()
  .refine((text) => Buffer.byteLength(text) >= SECRET_BYTES, {
    error: `at least ${SECRET_BYTES} bytes, as \`openssl rand -hex 32\` prints`,
  })
  .optional();

const environment = z.object({
  NODE_ENV: choice(['development', 'test', 'production'], 'development'),
  HOST: z.string().min(1, { error: 'an address to listen on, as 127.0.0.1 or 0.0.0.0' }).default('127.0.0.1'),
  PORT: wholeNumber(0, 65535, 3000),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'an address as https://play.example.org' }).optional(),
  DATA_DIR: z.string().min(1, { error: 'a folder' }).default('data'),
  DATABASE_URL: z
    .string()
    .refine((text) => /^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text), {
      error:
        'an address as postgresql://user:password@host:5432/halfmove (percent-encode # / @ in a password)',
    })
    .optional(),
  DATABASE_POOL: wholeNumber(1, 1000, 10),
  MIN_FREE_MB: wholeNumber(0, 999_999_999, 256),
  TOKEN_SECRET: secret,
  SEED_SECRET: secret,
  ACCESS_TOKEN_SECONDS: wholeNumber(30, 86_400, 900),
  SESSION_DAYS: wholeNumber(1, 365, 60),
  SWEEP_SECONDS: wholeNumber(1, 3600, 5),
  MAX_RUNNING_GAMES: wholeNumber(1, 100_000, 200),
  MAX_OPEN_SEEKS: wholeNumber(1, 1000, 10),
  MAX_OPEN_CHALLENGES: wholeNumber(1, 10_000, 100),
  MAX_IMPORTED_GAMES: wholeNumber(1, 1_000_000, 1000),
  MAX_STREAMS: wholeNumber(1, 1000, 4),
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform(listOf)
    .refine((origins) => origins.every(isOrigin), {
      error: 'addresses as https://example.org, without a path, with commas between',
    }),
  TRUST_PROXY: wholeNumber(0, 10, 0),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
});

export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Where people reach the server, without a slash at the end; null: the address it listens on. */
  readonly publicUrl: string | null;
  readonly dataDir: string;
  /** Null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databasePool: number;
  readonly minFreeBytes: number;
  readonly tokenSecret: string;
  readonly seedSecret: string;
  readonly accessTokenSeconds: number;
  readonly sessionDays: number;
  readonly sweepSeconds: number;
  /** How many games of one user may go on at once. */
  readonly maxRunningGames: number;
  /** How many seeks of one user may be open at once. */
  readonly maxOpenSeeks: number;
  /** How many challenges of one user, direct ones and links, may be open at once. */
  readonly maxOpenChallenges: number;
  /** How many games one user may have imported. */
  readonly maxImportedGames: number;
  /** How many streams of games may go to one client at once. */
  readonly maxStreams: number;
  readonly corsOrigins: readonly string[];
  /** How many proxies stand before the server. */
  readonly trustProxy: number;
  readonly logLevel: string;
}

/** The start is refused; the message is for the person who typed it. */
export class ConfigError extends Error {}

/** Parses an environment; throws a ConfigError that lists every wrong value and what is allowed. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // An empty value is how compose files and shells say "not set".
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  const wrong = parsed.success
    ? []
    : parsed.error.issues.map((i) => `${i.path.join('.')} must be ${i.message}`);
  if (given['NODE_ENV'] === 'production') {
    for (const name of ['DATABASE_URL', 'TOKEN_SECRET', 'SEED_SECRET']) {
      if (given[name] === undefined) wrong.push(`${name} must be set when NODE_ENV is production`);
    }
  }
  if (given['TOKEN_SECRET'] !== undefined && given['TOKEN_SECRET'] === given['SEED_SECRET']) {
    wrong.push('SEED_SECRET must differ from TOKEN_SECRET');
  }
  if (!parsed.success || wrong.length > 0) {
    throw new ConfigError(`The configuration is wrong (.env.example explains it):\n- ${wrong.join('\n- ')}`);
  }
  const e = parsed.data;
  const dataDir = resolve(e.DATA_DIR);
  const own = e.TOKEN_SECRET && e.SEED_SECRET ? null : ownSecrets(dataDir);
  return Object.freeze({
    production: e.NODE_ENV === 'production',
    host: e.HOST,
    port: e.PORT,
    publicUrl: e.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    dataDir,
    databaseUrl: e.DATABASE_URL ?? null,
    databasePool: e.DATABASE_POOL,
    minFreeBytes: e.MIN_FREE_MB * 1024 * 1024,
    tokenSecret: e.TOKEN_SECRET ?? own!.tokenSecret,
    seedSecret: e.SEED_SECRET ?? own!.seedSecret,
    accessTokenSeconds: e.ACCESS_TOKEN_SECONDS,
    sessionDays: e.SESSION_DAYS,
    sweepSeconds: e.SWEEP_SECONDS,
    maxRunningGames: e.MAX_RUNNING_GAMES,
    maxOpenSeeks: e.MAX_OPEN_SEEKS,
    maxOpenChallenges: e.MAX_OPEN_CHALLENGES,
    maxImportedGames: e.MAX_IMPORTED_GAMES,
    maxStreams: e.MAX_STREAMS,
    corsOrigins: Object.freeze(e.CORS_ORIGINS),
    trustProxy: e.TRUST_PROXY,
    logLevel: e.LOG_LEVEL,
  });
}

const secretsFile = z.object({ tokenSecret: z.string().min(64), seedSecret: z.string().min(64) });

/** The secrets of a server that was given none: made once, readable by its owner alone. */
function ownSecrets(dataDir: string): z.infer<typeof secretsFile> {
  const path = join(dataDir, 'secrets.json');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!existsSync(path)) writeSecrets(path);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`DATA_DIR must be a folder that can be written to (${message}).`);
  }
  try {
    return secretsFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new ConfigError(
      `${path} cannot be read or is damaged. Restore it from a backup: without it the deals of all games are lost.`,
    );
  }
}

/** Whole or not at all: a start that is killed meanwhile leaves no half of it. */
function writeSecrets(path: string): void {
  const draw = () => randomBytes(SECRET_BYTES).toString('hex');
  const whole = `${path}.${process.pid}`;
  writeFileSync(whole, `${JSON.stringify({ tokenSecret: draw(), seedSecret: draw() }, null, 2)}\n`, {
    mode: 0o600,
  });
  try {
    linkSync(whole, path);
  } catch (error) {
    // Another process starting at the same moment made it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(whole);
  }
}
