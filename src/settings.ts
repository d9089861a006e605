import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { listOf, secret, signingSecrets } from './secrets.js';

/**
 * Every setting of the server: a line with its range, its default and a sentence. `npm run schema` writes .env.example,
 * docs/settings.md and the table in docs/operating.md from here. MAX_OPEN_SEEKS is `maxOpenSeeks` in the configuration.
 */

interface Setting<T> {
  readonly check: z.ZodType<T>;
  /** What values are allowed, for people. */
  readonly range: string;
  /** The default as it would be set; empty without one. */
  readonly fallback: string;
  readonly meaning: string;
}

/** A setting that is an integer. */
export interface NumberSetting extends Setting<number> {
  readonly min: number;
  readonly max: number;
  readonly byDefault: number;
}

/** The origins whose pages may call the server. */
export type CorsOrigins = '*' | 'none' | readonly string[];

function number(min: number, max: number, byDefault: number, meaning: string): NumberSetting {
  const check = z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `a whole number from ${min} to ${max}`,
    })
    .transform(Number)
    .default(byDefault);
  return { check, range: `${min} to ${max}`, fallback: String(byDefault), meaning, min, max, byDefault };
}

const word = <T extends string>(
  words: readonly [T, ...T[]],
  fallback: NoInfer<T>,
  meaning: string,
): Setting<T> => ({
  check: z.enum(words, { error: `one of ${words.join(', ')}` }).default(fallback),
  range: words.map((each) => `\`${each}\``).join(', '),
  fallback,
  meaning,
});

const text = <T>(check: z.ZodType<T>, range: string, fallback: string, meaning: string): Setting<T> => ({
  check,
  range,
  fallback,
  meaning,
});

const someText = (error: string, fallback: string) => z.string().min(1, { error }).default(fallback);

const isPostgres = (given: string) => /^postgres(?:ql)?:\/\/./.test(given) && URL.canParse(given);

/** An origin as browsers send it. */
const isOrigin = (given: string): boolean =>
  /^https?:/.test(given) && URL.canParse(given) && new URL(given).origin === given;

const publicUrl = z
  .url({ protocol: /^https?$/, error: 'an address such as https://play.example.org' })
  // The names of the signing keys are derived from it, and those that end in /log belong to logs.
  .refine((url) => !/\/log\/*$/.test(url), { error: 'an address that does not end in /log' })
  .optional();

const databaseUrl = z
  .string()
  .refine(isPostgres, {
    error:
      'an address such as postgresql://user:password@host:5432/halfmove (percent-encode # / @ in a password)',
  })
  .optional();

const smtpUrl = z
  .string()
  .refine((given) => /^smtps?:\/\/./.test(given) && URL.canParse(given), {
    error: 'an address such as smtps://user:password@mail.example.org (percent-encode : / @ in a password)',
  })
  .optional();

const webPage = z
  .url({ protocol: /^https?$/, error: 'an address such as https://example.org/terms' })
  .optional();

const corsOrigins = z
  .string()
  .default('*')
  .transform((given): CorsOrigins => (given === '*' || given === 'none' ? given : listOf(given)))
  .refine((origins) => typeof origins === 'string' || origins.every(isOrigin), {
    error: '*, none, or addresses such as https://example.org, without a path, separated by commas',
  });

/** The same list, as the policy of a page writes it. */
const frameAncestors = corsOrigins.transform((given) =>
  given === 'none' ? "'none'" : [given].flat().join(' '),
);

const isNetwork = (given: string): boolean => /\/\d+$/.test(given) && ipaddr.isValidCIDR(given);

const networks = z
  .string()
  .default('')
  .transform(listOf)
  .refine((given) => given.every(isNetwork), {
    error: 'networks such as 10.1.0.0/16 or fd00::/8, separated by commas',
  });

const USUAL = {
  HOST: text(
    someText('an address to listen on, such as 127.0.0.1 or 0.0.0.0', '127.0.0.1'),
    'address',
    '127.0.0.1',
    'The address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for every network.',
  ),
  PORT: number(0, 65_535, 3000, 'The port to listen on; 0 takes any free one.'),
  PUBLIC_URL: text(
    publicUrl,
    'URL',
    '',
    'The address by which people reach the server, such as https://play.example.org. URLs in answers begin with it, and the keys of the server are named after it; if it is not set, with http://localhost and the port.',
  ),
  TRUST_PROXY: number(
    0,
    10,
    0,
    'The number of proxies in front of the server that add to `X-Forwarded-For`. If it is too high, clients can choose their address themselves.',
  ),
  DATABASE_URL: text(
    databaseUrl,
    'URL',
    '',
    'A PostgreSQL server, such as postgresql://user:password@host:5432/halfmove. If it is not set, the server uses an embedded database in `DATA_DIR`.',
  ),
  DATA_DIR: text(
    someText('a folder', 'data'),
    'folder',
    'data',
    "The folder of the embedded database and of the server's own secrets. Back it up as a whole, with the server stopped.",
  ),
  TOKEN_SECRET: text(
    secret.optional(),
    '32 bytes or more',
    '',
    'Signs access tokens, cursors and links of challenges. If it is not set, the server makes one and keeps it in `DATA_DIR`. Changing it logs everybody out.',
  ),
  SEED_SECRET: text(
    secret.optional(),
    '32 bytes or more',
    '',
    'Encrypts the seeds of the deals; it must differ from `TOKEN_SECRET`. If it is not set, the server makes one and keeps it in `DATA_DIR`. Keep a copy and never change it: deals made with the old one could not be read.',
  ),
  SIGNING_SECRET: text(
    signingSecrets.optional(),
    '32 bytes or more',
    '',
    'Signs receipts and the log of games; it must differ from the other two. If it is not set, the server makes one and keeps it in `DATA_DIR`. While you change it, give the new and the old one, separated by a comma.',
  ),
  REGISTRATIONS_PER_HOUR: number(
    1,
    1_000_000,
    60,
    'Accounts made from one address in an hour; as many looks at links that take over a player, counted apart. An IPv6 address counts as its /64.',
  ),
  SMTP_URL: text(
    smtpUrl,
    'URL',
    '',
    'The server that sends mails, such as smtps://user:password@mail.example.org. If it is not set, passwords are recovered by the operator alone; outside of production mails are then written into `DATA_DIR/mails`.',
  ),
  MAIL_FROM: text(
    z.email({ error: 'an e-mail address' }).optional(),
    'address',
    '',
    'The sender of mails; if it is not set, `noreply` at the host of `PUBLIC_URL`.',
  ),
  CONTACT: text(
    z.string().max(200, { error: 'at most 200 characters' }).optional(),
    'text',
    '',
    'How people reach you, such as an e-mail address; it is shown where somebody registers, and in mails.',
  ),
  TERMS_URL: text(webPage, 'URL', '', 'Your terms of use, shown in the same places.'),
  PRIVACY_URL: text(
    webPage,
    'URL',
    '',
    'Your privacy notice, shown in the same places; docs/privacy.md says what the server stores.',
  ),
};

const PROCESS = {
  NODE_ENV: word(
    ['development', 'test', 'production'],
    'development',
    'In production `DATABASE_URL`, `TOKEN_SECRET`, `SEED_SECRET` and `SIGNING_SECRET` must be set.',
  ),
  LOG_LEVEL: word(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'The least severe messages that are logged.',
  ),
  CORS_ORIGINS: text(
    corsOrigins,
    'list',
    '*',
    'The origins whose pages may call the server from a browser: `*` for all, `none`, or a list separated by commas. `*` is safe: there are no cookies, so a page cannot act for its visitor.',
  ),
  EMBED_ORIGINS: text(
    frameAncestors,
    'list',
    '*',
    'The origins whose pages may show games in frames (`/embed/games/ID`): `*` for all, `none`, or a list separated by commas. `*` is safe: nothing can be done in them.',
  ),
  OUTGOING_NETWORKS: text(
    networks,
    'list',
    '',
    'Networks to which webhooks may be sent besides the internet, such as 10.1.0.0/16, separated by commas; to these also by plain http. Whoever registers a webhook can then send requests to every machine there.',
  ),
  DATABASE_POOL: number(1, 1000, 10, 'Connections to PostgreSQL that the server keeps open.'),
  CACHE_MB: number(
    8,
    100_000,
    128,
    'MiB in which the server remembers games, their moves, documents and tokens, to answer faster. What it needs in any case comes on top.',
  ),
  MIN_FREE_MB: number(
    0,
    999_999_999,
    256,
    'MiB of free disk space below which the embedded database refuses writes; 0 never refuses.',
  ),
  CHECKPOINT_SECONDS: number(
    1,
    3600,
    30,
    'How often the embedded database is written to disk. A power cut can lose what was stored since; the end of the process alone loses nothing.',
  ),
  WATCHDOG_SECONDS: number(
    10,
    86_400,
    60,
    'If the embedded database does not answer for so many seconds, as on a full disk, the server ends itself, so that its supervisor starts it again.',
  ),
  // Together with the time for requests in progress, less than main.ts and Docker allow for the whole shutdown.
  DRAIN_SECONDS: number(
    0,
    3,
    0,
    'How long the server keeps working after SIGTERM while `/readyz` is already 503, for a load balancer that asks it.',
  ),
  LOST_SEEDS: word(
    ['refuse', 'accept'],
    'refuse',
    'Whether to start on a database whose seeds were sealed with another `SEED_SECRET`. With `accept`, needed once, games with face-down pieces cannot go on and old deals cannot be proved.',
  ),
};

const KEEPING = {
  ACCESS_TOKEN_SECONDS: number(30, 86_400, 900, 'Lifetime of an access token.'),
  SESSION_DAYS: number(1, 365, 60, 'Lifetime of a session since its last renewal.'),
  IDEMPOTENCY_KEY_DAYS: number(
    1,
    365,
    7,
    'How long an idempotency key is remembered; after that the same request counts as new.',
  ),
  NOTIFICATION_DAYS: number(1, 3650, 180, 'How long notifications are kept.'),
  READ_NOTIFICATION_DAYS: number(1, 3650, 30, 'How long notifications that have been read are kept.'),
  GUEST_DAYS: number(
    1,
    3650,
    30,
    'How long a guest is kept after their last game; one who never played, a day.',
  ),
  CLOSED_NAME_DAYS: number(1, 3650, 30, 'How long the username of a closed account stays taken.'),
};

const WORK = {
  SWEEP_SECONDS: number(
    1,
    3600,
    5,
    'How often clocks are checked, besides at each deadline, seeks are paired, closed accounts cleared away and games counted for the explorer.',
  ),
  EXPIRY_SWEEP_SECONDS: number(
    1,
    3600,
    60,
    'How often expired seeks and challenges are closed, idle players taken off the leaderboards, and players of deleted applications erased.',
  ),
  HOUSEKEEPING_SECONDS: number(
    1,
    86_400,
    3600,
    'How often events are folded into the changes, and outdated data deleted: sessions, idempotency keys, old events and deletions, notifications.',
  ),
  OUTBOX_POLL_MS: number(
    10,
    60_000,
    500,
    'Milliseconds between two looks at what was stored by any server, after which subscribers hear of it.',
  ),
  OUTBOX_NUDGE_MS: number(
    0,
    10_000,
    50,
    'The least milliseconds between two notifications (NOTIFY) by which a server tells all servers of its PostgreSQL that it has stored something, so that they look at once. 0 sends and hears none.',
  ),
  LOG_SECONDS: number(1, 3600, 1, 'How often openings and ends of games are appended to the public log.'),
};

const USERS = {
  MAX_RUNNING_GAMES: number(1, 100_000, 200, 'Running games of one user.'),
  MAX_RUNNING_GAMES_OF_GUESTS: number(1, 100_000, 3, 'Running games of one guest.'),
  MAX_APPLICATIONS: number(
    0,
    1000,
    5,
    'Applications of one person; 0 to let nobody register one (see [applications.md](applications.md)).',
  ),
  MAX_WEBHOOKS: number(0, 1000, 10, 'Webhooks of one person, and of one application; 0 to send none.'),
  MAX_PLAYERS_OF_APPLICATION: number(1, 100_000_000, 100_000, 'Players of one application.'),
  MAX_RUNNING_GAMES_OF_APPLICATION: number(1, 100_000_000, 20_000, 'Running games of one application.'),
  REQUESTS_PER_MINUTE_OF_APPLICATION: number(
    1,
    10_000_000,
    6000,
    'Requests of one application and its players in a minute, counted by each process.',
  ),
  MAX_OPEN_SEEKS: number(1, 1000, 10, 'Open seeks of one user.'),
  MAX_OPEN_CHALLENGES: number(
    1,
    10_000,
    100,
    'Open challenges of one user, direct ones and links; a fifth of them to the same user.',
  ),
  MAX_IMPORTED_GAMES: number(1, 1_000_000, 1000, 'Imported games of one user.'),
  MESSAGES_PER_MINUTE: number(1, 1_000_000, 10, 'Messages of one user in a minute, in all games together.'),
  MESSAGES_PER_HOUR: number(1, 1_000_000, 100, 'The same in an hour.'),
  CHALLENGES_PER_MINUTE: number(
    1,
    1_000_000,
    30,
    'Challenges, seeks and rematches offered by one user in a minute.',
  ),
  CHALLENGES_PER_HOUR: number(1, 1_000_000, 300, 'The same in an hour.'),
  IMPORTS_PER_MINUTE: number(1, 1_000_000, 20, 'Texts imported by one user in a minute.'),
  IMPORTS_PER_HOUR: number(1, 1_000_000, 200, 'The same in an hour.'),
  MAX_GAMES_PER_IMPORT: number(1, 1000, 100, 'Games in one imported text.'),
  MAX_PLIES_PER_IMPORT: number(
    1,
    1_000_000,
    20_000,
    'Plies in one imported text; 20,000 take about two seconds to read.',
  ),
  MAX_STREAMS: number(
    1,
    1000,
    4,
    'Streams of games to one client (a user, or an address without one) at once.',
  ),
};

const PASSWORDS = {
  MAX_WRONG_PASSWORDS: number(1, 1_000_000, 10, 'Wrong passwords from one address for one username.'),
  MAX_WRONG_PASSWORDS_PER_ADDRESS: number(
    1,
    1_000_000,
    100,
    'Wrong passwords from one address for all usernames; then the server checks no more from it.',
  ),
  MAX_WRONG_PASSWORDS_PER_NAME: number(
    1,
    1_000_000,
    50,
    'Wrong passwords from all addresses for one username; then addresses from which its owner has not come lately wait for each other, five seconds for each try (see [security.md](security.md)).',
  ),
  WRONG_PASSWORD_SECONDS: number(1, 86_400, 900, 'How long wrong passwords are counted, from the first one.'),
  GUESTS_PER_HOUR: number(
    1,
    1_000_000,
    20,
    'Guests made from one address in an hour; an IPv6 address counts as its /64.',
  ),
  RECOVERIES_PER_HOUR: number(
    1,
    1_000_000,
    20,
    'Recoveries of passwords, and links for new e-mail addresses, that one address may ask for in an hour; one account gets five of each.',
  ),
  MAX_PASSWORDS_AT_ONCE: number(
    1,
    64,
    2,
    "Passwords hashed or checked at once; each takes about 25 ms of CPU time and 19 MiB on one of Node's four worker threads (`UV_THREADPOOL_SIZE`).",
  ),
  MAX_PASSWORDS_WAITING: number(1, 1_000_000, 100, 'Passwords that wait to be hashed or checked.'),
  MAX_PASSWORDS_WAITING_PER_ADDRESS: number(1, 1_000_000, 10, 'The same from one address.'),
};

const REQUESTS = {
  MAX_REQUEST_KB: number(
    1,
    16_384,
    64,
    'KiB of a request body or a WebSocket message; `POST /v1/imports` takes a whole text regardless.',
  ),
  REQUEST_SECONDS: number(
    1,
    3600,
    60,
    'Seconds that a request may take to arrive; then it is answered with 408.',
  ),
  MAX_CONNECTIONS_PER_ADDRESS: number(
    1,
    100_000,
    256,
    'Open connections of one address; with `TRUST_PROXY` this is up to the proxy.',
  ),
  MAX_SOCKETS_PER_USER: number(1, 100_000, 20, 'WebSockets of one user, and as many event streams.'),
  MAX_SOCKETS_PER_ADDRESS: number(1, 100_000, 100, 'The same of one address.'),
  MAX_SUBSCRIPTIONS_PER_SOCKET: number(1, 10_000, 100, 'Subscriptions on one WebSocket.'),
  MAX_WATCHING_COST_PER_USER: number(
    1,
    100_000_000,
    30_000,
    'The cost at each event of all subscriptions of one user: the sum of what each would cost as a query.',
  ),
  MAX_WATCHING_COST_PER_ADDRESS: number(1, 100_000_000, 100_000, 'The same of one address.'),
  SOCKET_INIT_SECONDS: number(1, 300, 10, 'Seconds until a WebSocket must have sent `connection_init`.'),
  HEARTBEAT_SECONDS: number(
    1,
    300,
    15,
    'Seconds between two comments of an event stream, and between two pings of a WebSocket. A client that has read nothing in between is disconnected, and the stream of an ended session is closed.',
  ),
};

const QUERIES = {
  MAX_QUERY_COST: number(
    1,
    1_000_000,
    16_000,
    'The cost of one GraphQL operation, in fields of its answer; the fields of a page count once for each row that is asked for.',
  ),
  MAX_QUERY_DEPTH: number(
    1,
    100,
    16,
    'Levels of fields in an operation; the usual clients need 15 to read the schema.',
  ),
  MAX_QUERY_ROOT_FIELDS: number(1, 1000, 10, 'Root fields of an operation.'),
  MAX_QUERY_ALIASES: number(0, 1000, 30, 'Aliases in an operation.'),
  MAX_QUERY_DIRECTIVES: number(0, 1000, 30, 'Directives in an operation.'),
  MAX_QUERY_TOKENS: number(
    1,
    100_000,
    1000,
    'Tokens in a GraphQL document; the usual clients need 200 to read the schema.',
  ),
  MAX_INTROSPECTION_KB: number(1, 100_000, 1024, 'KiB of an answer about the schema itself.'),
};

const QUEUES = {
  MAX_IMPORTS_WAITING: number(1, 1_000_000, 20, 'Imported texts that wait to be read.'),
  MAX_PICTURES_AT_ONCE: number(
    1,
    64,
    1,
    'Boards drawn as PNG at once, on the worker threads of Node: 12 ms for 400 pixels, 90 ms for 2048.',
  ),
  MAX_PICTURES_WAITING: number(1, 1_000_000, 100, 'Boards that wait to be drawn as PNG.'),
  MAX_COMMITS_WAITING: number(1, 1_000_000, 10_000, 'Changes of games that wait to be stored.'),
};

/** The groups of settings under their titles; the usual ones first. */
export const GROUPS: Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>> = {
  'What most servers set': USUAL,
  'Process and database': PROCESS,
  'How long things are kept': KEEPING,
  'How often the server does its own work': WORK,
  'Limits of users': USERS,
  Passwords: PASSWORDS,
  'Requests and sockets': REQUESTS,
  'GraphQL operations': QUERIES,
  'Queues, beyond which requests are refused with OVERLOADED': QUEUES,
};

export const SETTINGS = {
  ...USUAL,
  ...PROCESS,
  ...KEEPING,
  ...WORK,
  ...USERS,
  ...PASSWORDS,
  ...REQUESTS,
  ...QUERIES,
  ...QUEUES,
};

type Settings = typeof SETTINGS;
export type NumberName = {
  [N in keyof Settings]: Settings[N] extends NumberSetting ? N : never;
}[keyof Settings];

const isNumber = (setting: Setting<unknown>): setting is NumberSetting => 'byDefault' in setting;

/** The settings that are integers. */
export const NUMBERS = Object.fromEntries(
  Object.entries<Setting<unknown>>(SETTINGS).filter(([, setting]) => isNumber(setting)),
) as Readonly<Record<NumberName, NumberSetting>>;
