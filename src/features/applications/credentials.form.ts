import type { FastifyInstance } from 'fastify';
import { notJson } from '../../platform/http/framework-errors.js';

/** Client credentials as the libraries of OAuth send them: in a form, perhaps with HTTP Basic (RFC 6749, 2.3.1). */

export const TOKEN_PATH = '/oauth/token';
const FORM = 'application/x-www-form-urlencoded';

/** Registers the parser. Other routes answer a form with 415. */
export function acceptForms(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser(FORM);
  fastify.addContentTypeParser(FORM, { parseAs: 'string' }, (request, body, done) => {
    if (request.routeOptions.url === TOKEN_PATH) done(null, fieldsOf(String(body)));
    else done(notJson(request));
  });
}

const NAMES = ['grant_type', 'client_id', 'client_secret', 'scope'];

/**
 * OAuth ignores parameters that it does not know or that are empty. One that is there twice becomes a list, which its
 * check refuses.
 */
function fieldsOf(form: string): object {
  const given = new URLSearchParams(form);
  const fields = NAMES.map((name) => [name, given.getAll(name).filter((value) => value !== '')] as const);
  const sent = fields.filter(([, values]) => values.length > 0);
  return Object.fromEntries(sent.map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** Id and secret in a header; null without one, or in one that is malformed. */
export function basicIn(header: string | undefined): { readonly id: string; readonly secret: string } | null {
  const encoded = /^basic ([\w+/=-]+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const [id, secret] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  try {
    return { id: decodeURIComponent(id!), secret: decodeURIComponent(secret ?? '') };
  } catch {
    return null;
  }
}
