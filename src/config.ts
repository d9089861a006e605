import { resolve } from 'node:path';
import { z } from 'zod';
import { shown } from './rules/shown.js';
import { ConfigError, listOf, ownSecrets } from './secrets.js';
import { NUMBERS, SETTINGS, type CorsOrigins, type NumberName } from './settings.js';

export { ConfigError };

/** The environment, parsed once: a frozen, typed value, or a list of errors. */

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;
type Numbers = { readonly [Name in NumberName as CamelCase<Name>]: number };

const camelCase = (name: string): string =>
  name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const environment = z.object(
  Object.fromEntries(Object.entries(SETTINGS).map(([name, { check }]) => [name, check])) as {
    [N in keyof typeof SETTINGS]: (typeof SETTINGS)[N]['check'];
  },
);

export interface Config extends Omit<Numbers, 'minFreeMb'> {
  readonly production: boolean;
  readonly host: string;
  /** The public URL of the server, without a trailing slash; null for localhost. */
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
  /** As the policy of a page names them. */
  readonly frameAncestors: string;
  /** Networks that users may have requests sent to, besides the internet. */
  readonly outgoingNetworks: readonly string[];
  /** Null if no mail is sent. */
  readonly smtpUrl: string | null;
  readonly mailFrom: string | null;
  readonly contact: string | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
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
    : parsed.error.issues.map(({ path, message }) => {
        const name = path.join('.');
        return `${name} must be ${message}${got(name, given)}`;
      });
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
    throw new ConfigError(
      `The server cannot start with these settings (docs/settings.md explains them):\n- ${wrong.join('\n- ')}`,
    );
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
    frameAncestors: e.EMBED_ORIGINS,
    outgoingNetworks: e.OUTGOING_NETWORKS,
    smtpUrl: e.SMTP_URL ?? null,
    mailFrom: e.MAIL_FROM ?? null,
    contact: e.CONTACT ?? null,
    termsUrl: e.TERMS_URL ?? null,
    privacyUrl: e.PRIVACY_URL ?? null,
    logLevel: e.LOG_LEVEL,
  });
}

/** The wrong value, unless it may contain a secret. */
const got = (name: string, given: Readonly<Record<string, unknown>>): string =>
  /SECRET$|^(DATABASE|SMTP)_URL$/.test(name) ? '' : `; got ${shown(given[name])}`;

const numbersOf = (parsed: Readonly<Record<NumberName, number>>): Numbers =>
  Object.fromEntries(
    Object.keys(NUMBERS).map((name) => [camelCase(name), parsed[name as NumberName]]),
  ) as Numbers;
