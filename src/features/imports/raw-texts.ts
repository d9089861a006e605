import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorOf } from '../../engine/refusals.js';
import { miss, refusalIn } from '../../formats/fault.js';
import { LIMITS } from '../../formats/score.js';
import { badInput, DomainError } from '../../platform/errors.js';

/** Texts of games as they are, in place of JSON with a text in it; what goes with them is in the address. */

export const IMPORTS_PATH = '/v1/imports';
export const RAW_TYPES = [
  'text/plain',
  'application/vnd.chess-pgn',
  'application/x-chess-pgn',
  'application/x-ndjson',
] as const;

/** Anywhere else only JSON is read: such a body is answered with 415. Call it before there are routes. */
export function takeRawTexts(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    // In JSON a text is a little longer than it is.
    if (route.url !== IMPORTS_PATH || route.method !== 'POST') return;
    route.bodyLimit = 2 * LIMITS.text;
    route.preParsing = (request, _reply, payload, done) => done(misfit(request), payload);
  });
  fastify.removeContentTypeParser('text/plain');
  fastify.addContentTypeParser([...RAW_TYPES], { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, inputOf(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

const JSON_TYPE = 'application/json';
const TAKEN: readonly string[] = [JSON_TYPE, ...RAW_TYPES];
const CHARSETS: readonly string[] = ['utf-8', 'utf8', 'us-ascii'];

/** Why a body cannot be what its header and its address say, before it is read; null when it can. */
function misfit({ headers, query }: FastifyRequest): DomainError | null {
  const header = headers['content-type'];
  if (header === undefined) return null;
  const type = header.split(';', 1)[0]!.trim().toLowerCase();
  if (!TAKEN.includes(type)) return unsupported(`${type} is no text of games: send ${TAKEN.join(', ')}`);
  const charset = /;\s*charset="?([^\s";]*)/i.exec(header)?.[1]?.toLowerCase() ?? 'utf-8';
  if (!CHARSETS.includes(charset)) return unsupported(`The text is in ${charset}: send it in UTF-8`);
  const beside = Object.keys(query as object).find((name) => type === JSON_TYPE || name === 'text');
  if (beside === undefined) return null;
  return badInput(beside, `Send "${beside}" in the body: beside this one it is not read in the address.`);
}

const unsupported = (message: string): DomainError =>
  new DomainError('UNSUPPORTED_MEDIA_TYPE', `${message}, and say so in the header Content-Type.`);

function inputOf({ routeOptions, query, headers }: FastifyRequest, body: Buffer): object {
  if (routeOptions.url === IMPORTS_PATH) return { ...(query as object), text: decoded(body) };
  throw new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Unsupported Media Type: ${headers['content-type'] ?? 'none'}`,
  );
}

/** Throws INVALID_GAME_TEXT where it is not UTF-8. */
function decoded(body: Buffer): string {
  const text = body.toString('utf8');
  if (isUtf8(body)) return text;
  const { at, byte } = firstBroken(body, text);
  const name = byte.toString(16).toUpperCase().padStart(2, '0');
  throw errorOf(refusalIn(text, miss(at, `The byte ${name} is no UTF-8: send the text in UTF-8.`)));
}

/** The first place where a replacement stands for something else, and the byte there. */
function firstBroken(body: Buffer, text: string): { readonly at: number; readonly byte: number } {
  let [from, byte] = [0, 0];
  for (;;) {
    const at = text.indexOf('\uFFFD', from);
    byte += Buffer.byteLength(text.slice(from, at));
    const isMeant = body[byte] === 0xef && body[byte + 1] === 0xbf && body[byte + 2] === 0xbd;
    if (!isMeant) return { at, byte: body[byte]! };
    [from, byte] = [at + 1, byte + 3];
  }
}
