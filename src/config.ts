import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError, listOf, ownSecrets, secret, signingSecrets } from './secrets.js';

export { ConfigError };

/** The environment, parsed once: a frozen, typed value, or a list of errors. */

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

/** The origins whose pages may call the server. */
export type CorsOrigins = '*' | 'none' | readonly string[];

/** An origin as browsers send it. */
const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/**
 * The settings that are integers: minimum, maximum and default. .env.example explains each of them, and MAX_OPEN_SEEKS
 * is `maxOpenSeeks` in the configuration.
 */
export const NUMBERS = {
  PORT: [0, 65_535, 3000],
  TRUST_PROXY: [0, 10, 0],
  DATABASE_POOL: [1, 1000, 10],
  MIN_FREE_MB: [0, 999_999_999, 256],
  CHECKPOINT_SECONDS: [1, 3600, 30],
  // Together with the time for requests in progress, less than main.ts and Docker allow for the whole shutdown.
  DRAIN_SECONDS: [0, 3, 0],
  WATCHDOG_SECONDS: [10, 86_400, 60],
  // How long data is kept.
  ACCESS_TOKEN_SECONDS: [30, 86_400, 900],
  SESSION_DAYS: [1, 365, 60],
  IDEMPOTENCY_KEY_DAYS: [1, 365, 7],
  NOTIFICATION_DAYS: [1, 3650, 180],
  READ_NOTIFICATION_DAYS: [1, 3650, 30],
  CLOSED_NAME_DAYS: [1, 3650, 30],
  // Intervals of background work.
  SWEEP_SECONDS: [1, 3600, 5],
  EXPIRY_SWEEP_SECONDS: [1, 3600, 60],
  HOUSEKEEPING_SECONDS: [1, 86_400, 3600],
  OUTBOX_POLL_MS: [10, 60_000, 500],
  LOG_SECONDS: [1, 3600, 1],
  // Quotas of one user.
  MAX_RUNNING_GAMES: [1, 100_000, 200],
  MAX_OPEN_SEEKS: [1, 1000, 10],
  MAX_OPEN_CHALLENGES: [1, 10_000, 100],
  MAX_IMPORTED_GAMES: [1, 1_000_000, 1000],
  // Rates of one user or address.
  MESSAGES_PER_MINUTE: [1, 1_000_000, 10],
  MESSAGES_PER_HOUR: [1, 1_000_000, 100],
  IMPORTS_PER_MINUTE: [1, 1_000_000, 20],
  IMPORTS_PER_HOUR: [1, 1_000_000, 200],
  MAX_WRONG_PASSWORDS: [1, 1_000_000, 10],
  MAX_WRONG_PASSWORDS_PER_ADDRESS: [1, 1_000_000, 100],
  MAX_WRONG_PASSWORDS_PER_NAME: [1, 1_000_000, 50],
  WRONG_PASSWORD_SECONDS: [1, 86_400, 900],
  REGISTRATIONS_PER_HOUR: [1, 1_000_000, 60],
  CHALLENGES_PER_MINUTE: [1, 1_000_000, 30],
  CHALLENGES_PER_HOUR: [1, 1_000_000, 300],
  // Limits of one request, stream or socket.
  MAX_REQUEST_KB: [1, 16_384, 64],
  MAX_GAMES_PER_IMPORT: [1, 1000, 100],
  MAX_PLIES_PER_IMPORT: [1, 1_000_000, 20_000],
  REQUEST_SECONDS: [1, 3600, 60],
  MAX_CONNECTIONS_PER_ADDRESS: [1, 100_000, 256],
  MAX_STREAMS: [1, 1000, 4],
  MAX_SOCKETS_PER_USER: [1, 100_000, 20],
  MAX_SOCKETS_PER_ADDRESS: [1, 100_000, 100],
  MAX_SUBSCRIPTIONS_PER_SOCKET: [1, 10_000, 100],
  MAX_WATCHING_COST_PER_USER: [1, 100_000_000, 30_000],
  MAX_WATCHING_COST_PER_ADDRESS: [1, 100_000_000, 100_000],
  SOCKET_INIT_SECONDS: [1, 300, 10],
  HEARTBEAT_SECONDS: [1, 300, 15],
  MAX_QUERY_COST: [1, 1_000_000, 16_000],
  MAX_QUERY_DEPTH: [1, 100, 16],
  MAX_QUERY_ROOT_FIELDS: [1, 1000, 10],
  MAX_QUERY_ALIASES: [0, 1000, 30],
  MAX_QUERY_DIRECTIVES: [0, 1000, 30],
  MAX_QUERY_TOKENS: [1, 100_000, 2000],
  MAX_INTROSPECTION_KB: [1, 100_000, 1024],
  // Queues of the server; requests beyond them are refused.
  MAX_PASSWORDS_AT_ONCE: [1, 64, 2],
  MAX_PASSWORDS_WAITING: [1, 1_000_000, 100],
  MAX_PASSWORDS_WAITING_PER_ADDRESS: [1, 1_000_000, 10],
  MAX_IMPORTS_WAITING: [1, 1_000_000, 20],
  MAX_PICTURES_AT_ONCE: [1, 64, 1],
  MAX_PICTURES_WAITING: [1, 1_000_000, 100],
  MAX_COMMITS_WAITING: [1, 1_000_000, 10_000],
} as const satisfies Readonly<Record<string, readonly [min: number, max: number, fallback: number]>>;

type NumberName = keyof typeof NUMBERS;
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;
type Numbers = { readonly [Name in NumberName as CamelCase<Name>]: number };

const camelCase = (name: string): string =>
  name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const environment = z.object({
  NODE_ENV: choice(['development', 'test', 'production'], 'development'),
  HOST: z.string().min(1, { error: 'an address to listen on, as 127.0.0.1 or 0.0.0.0' }).default('127.0.0.1'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'an address as https://play.example.org' })
    // The names of the signing keys are derived from it, and those that end in /log belong to logs.
    .refine((url) => !/\/log\/*$/.test(url), { error: 'an address that does not end in /log' })
    .optional(),
  DATA_DIR: z.string().min(1, { error: 'a folder' }).default('data'),
  DATABASE_URL: z
    .string()
    .refine((text) => /^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text), {
      error:
        'an address as postgresql://user:password@host:5432/halfmove (percent-encode # / @ in a password)',
    })
    .optional(),
  TOKEN_SECRET: secret.optional(),
  SEED_SECRET: secret.optional(),
  SIGNING_SECRET: signingSecrets.optional(),
  LOST_SEEDS: choice(['refuse', 'accept'], 'refuse'),
  CORS_ORIGINS: z
    .string()
    .default('*')
    .transform((text): CorsOrigins => (text === '*' || text === 'none' ? text : listOf(text)))
    .refine((origins) => typeof origins === 'string' || origins.every(isOrigin), {
      error: '*, none, or addresses as https://example.org, without a path, with commas between',
    }),
  LOG_LEVEL: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
  ...(Object.fromEntries(
    Object.entries(NUMBERS).map(([name, [min, max, fallback]]) => [name, wholeNumber(min, max, fallback)]),
  ) as Record<NumberName, ReturnType<typeof wholeNumber>>),
});

export interface Config extends Omit<Numbers, 'minFreeMb'> {
  readonly production: boolean;
  readonly host: string;
  /** The public URL of the server, without a trailing slash; null for the address it listens on. */
  readonly publicUrl: string | null;
  readonly dataDir: string;
  /** Null for the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly minFreeBytes: number;
  readonly tokenSecret: string;
  readonly seedSecret: string;
  /** The newest first; all of them sign. */
  readonly signingSecrets: readonly string[];
  /** What to do if the seeds in the database were encrypted with another secret. */
  readonly lostSeeds: 'refuse' | 'accept';
  readonly corsOrigins: CorsOrigins;
  readonly logLevel: string;
}

/** Parses an environment. Throws a ConfigError that lists every wrong value with what is allowed. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // An empty value means "not set" in compose files and shells.
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  const wrong = parsed.success
    ? []
    : parsed.error.issues.map((i) => `${i.path.join('.')} must be ${i.message}`);
  if (given['NODE_ENV'] === 'production') {
    for (const name of ['DATABASE_URL', 'TOKEN_SECRET', 'SEED_SECRET', 'SIGNING_SECRET']) {
      if (given[name] === undefined) wrong.push(`${name} must be set when NODE_ENV is production`);
    }
  }
  if (given['TOKEN_SECRET'] !== undefined && given['TOKEN_SECRET'] === given['SEED_SECRET']) {
    wrong.push('SEED_SECRET must differ from TOKEN_SECRET');
  }
  const signing = listOf(given['SIGNING_SECRET'] ?? '');
  if (signing.some((one) => one === given['TOKEN_SECRET'] || one === given['SEED_SECRET'])) {
    wrong.push('SIGNING_SECRET must differ from TOKEN_SECRET and SEED_SECRET');
  }
  if (!parsed.success || wrong.length > 0) {
    throw new ConfigError(`The configuration is wrong (.env.example explains it):\n- ${wrong.join('\n- ')}`);
  }
  const e = parsed.data;
  const dataDir = resolve(e.DATA_DIR);
  const own = e.TOKEN_SECRET && e.SEED_SECRET && e.SIGNING_SECRET ? null : ownSecrets(dataDir);
  const { minFreeMb, ...numbers } = numbersOf(e);
  return Object.freeze({
    ...numbers,
    production: e.NODE_ENV === 'production',
    host: e.HOST,
    publicUrl: e.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    dataDir,
    databaseUrl: e.DATABASE_URL ?? null,
    minFreeBytes: minFreeMb * 1024 * 1024,
    tokenSecret: e.TOKEN_SECRET ?? own!.tokenSecret,
    seedSecret: e.SEED_SECRET ?? own!.seedSecret,
    signingSecrets: e.SIGNING_SECRET ?? own!.signingSecret,
    lostSeeds: e.LOST_SEEDS,
    corsOrigins: e.CORS_ORIGINS,
    logLevel: e.LOG_LEVEL,
  });
}

const numbersOf = (parsed: Readonly<Record<NumberName, number>>): Numbers =>
  Object.fromEntries(
    Object.keys(NUMBERS).map((name) => [camelCase(name), parsed[name as NumberName]]),
  ) as Numbers;
