import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The form of secrets, and the file of those that a server creates itself. */

const SECRET_BYTES = 32;

/** Refuses the start, with a message for the operator. */
export class ConfigError extends Error {}

/** The items between commas. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

const isLong = (secret: string): boolean => Buffer.byteLength(secret) >= SECRET_BYTES;

export const secret = z
  .string()
  .refine(isLong, { error: `at least ${SECRET_BYTES} bytes, as \`openssl rand -hex 32\` prints` });

/** All verifiers accept at most 16 signatures. */
const MAX_SIGNING_SECRETS = 16;

const canSign = (secrets: readonly string[]): boolean => {
  const isCountRight = secrets.length > 0 && secrets.length <= MAX_SIGNING_SECRETS;
  return isCountRight && secrets.every(isLong) && new Set(secrets).size === secrets.length;
};

/** One secret, or during a rotation several, the newest first. */
export const signingSecrets = z
  .string()
  .transform(listOf)
  .refine(canSign, {
    error:
      `at least ${SECRET_BYTES} bytes, or up to ${MAX_SIGNING_SECRETS} different secrets of that length, ` +
      'the newest first, with commas between',
  });

const secretsFile = z.object({
  tokenSecret: z.string().min(64),
  seedSecret: z.string().min(64),
  signingSecret: signingSecrets,
});

type Secrets = z.infer<typeof secretsFile>;

/** The secrets of a server without configured ones: created once, readable only by its owner. */
export function ownSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!existsSync(path)) makeSecrets(path);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`DATA_DIR must be a folder that can be written to (${message}).`);
  }
  const { success, data } = secretsFile.safeParse(contentsOf(path));
  if (success) return data;
  throw new ConfigError(
    `${path} cannot be read or is damaged. Restore it from a backup: without it the deals of all games are lost.`,
  );
}

/** The content of the file, or null if it cannot be read. */
function contentsOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

const draw = (): string => randomBytes(SECRET_BYTES).toString('hex');

function makeSecrets(path: string): void {
  const whole = written(path, { tokenSecret: draw(), seedSecret: draw(), signingSecret: draw() });
  try {
    linkSync(whole, path);
  } catch (error) {
    // Another process that started at the same moment was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(whole);
  }
}

/** Writes a complete file beside the path, so that a killed start leaves no partial one there. */
function written(path: string, secrets: Readonly<Record<string, unknown>>): string {
  const beside = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(beside, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  return beside;
}
