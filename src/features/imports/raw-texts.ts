import { shown } from '../../rules/shown.js';
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorOf } from '../../engine/refusals.js';
import { miss, refusalIn } from '../../formats/fault.js';
import { LIMITS } from '../../formats/score.js';
import { notJson } from '../../platform/http/framework-errors.js';
import { badInput, DomainError } from '../../platform/errors/errors.js';

/** Accepts a text of games as the request body, instead of JSON that contains it; the other fields are in the query string. */

export const IMPORTS_PATH = '/v1/imports';
export const RAW_TYPES = [
  'text/plain',
  'application/vnd.chess-pgn',
  'application/x-chess-pgn',
  'application/x-ndjson',
] as const;

/** Registers the parsers. Other routes answer such a body with 415. Call it before routes are added. */
export function acceptRawTexts(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    // Escaping makes a text longer in JSON.
    if (route.url !== IMPORTS_PATH || route.method !== 'POST') return;
    route.bodyLimit = 2 * LIMITS.text;
    route.preParsing = (request, _reply, payload, done) => done(headerFault(request), payload);
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

/** The error of the headers and the query string, before the body is read; null without one. */
function headerFault({ headers, query }: FastifyRequest): DomainError | null {
  const header = headers['content-type'];
  if (header === undefined) return null;
  const type = header.split(';', 1)[0]!.trim().toLowerCase();
  if (!TAKEN.includes(type)) {
    return unsupported(`Content-Type must be one of ${TAKEN.join(', ')}; got ${shown(type)}.`);
  }
  const charset = /;\s*charset="?([^\s";]*)/i.exec(header)?.[1]?.toLowerCase() ?? 'utf-8';
  if (!CHARSETS.includes(charset)) {
    return unsupported(
      `The charset in Content-Type must be utf-8; got ${shown(charset)}. Send the text in UTF-8.`,
    );
  }
  const beside = Object.keys(query as object).find((name) => type === JSON_TYPE || name === 'text');
  if (beside === undefined) return null;
  const name = beside.slice(0, 60);
  return badInput(name, `"${name}" must be in the body, not in the query string.`);
}

const unsupported = (message: string): DomainError => new DomainError('UNSUPPORTED_MEDIA_TYPE', message);

function inputOf(request: FastifyRequest, body: Buffer): object {
  if (request.routeOptions.url !== IMPORTS_PATH) throw notJson(request);
  return { ...(request.query as object), text: decoded(body) };
}

/** Throws INVALID_GAME_TEXT if it is not UTF-8. */
function decoded(body: Buffer): string {
  const text = body.toString('utf8');
  if (isUtf8(body)) return text;
  const { at, byte } = firstBroken(body, text);
  const name = byte.toString(16).toUpperCase().padStart(2, '0');
  throw errorOf(refusalIn(text, miss(at, `The byte 0x${name} is not valid UTF-8. Send the text in UTF-8.`)));
}

/** The first place where the decoder has put a replacement character, and the byte there. */
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
