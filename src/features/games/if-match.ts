import { shown } from '../../rules/shown.js';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { badInput } from '../../platform/errors/errors.js';
import type { ShownGame } from './game.row.js';

/** The state of the game that a REST request is meant for, from its If-Match header. */

const HEADER = 'If-Match';
const TAG = /^(?:W\/)?"v(\d{1,10})(?:\.([0-9a-f]{16}))?(?:-[^"]*)?"$/;
const HASH_DIGITS = 16;

/** The version of a game that a request is meant for, and the first digits of its newest hash if the header has them. */
export interface Expected {
  readonly version?: number | null | undefined;
  readonly hash?: string | undefined;
}

/** The readable beginning of a game's tag: `v12.0123456789abcdef-`. */
export function markOf(row: ShownGame): string {
  // What is not stored yet has no hash.
  const hash = row.unstored === undefined ? `.${row.headHash.slice(0, HASH_DIGITS)}` : '';
  return `v${row.version}${hash}-`;
}

/** What the header names; empty for any. Throws BAD_INPUT if it is not the tag of a game. */
function expectedBy(header: string | undefined): Expected {
  if (header === undefined || header.trim() === '*') return {};
  const [, version, hash] = TAG.exec(header.trim()) ?? [];
  if (version !== undefined) return { version: Number(version), hash };
  const given = shown(header);
  throw badInput(HEADER, `${HEADER} must be the ETag of a game, "v12" for version 12, or *; got ${given}.`);
}

/** What the header or the body names. Throws BAD_INPUT if they differ. */
export function expectedOf({ version }: Pick<Expected, 'version'>, matched: Expected): Expected {
  if (matched.version == null || version == null) return { ...matched, version: matched.version ?? version };
  if (version === matched.version) return matched;
  throw badInput('version', `version (${version}) must equal the version in ${HEADER} (${matched.version}). Send only one of them.`); // prettier-ignore
}

/** The parameter with the state from the header. */
export const Matched = createParamDecorator((_: unknown, context: ExecutionContext) =>
  expectedBy(context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']),
);

/** Documents the header on a route. */
export const HeedsVersion = (): MethodDecorator =>
  ApiHeader({
    name: HEADER,
    required: false,
    description: 'The ETag of the game that you saw, or "v12" for its version, in place of `version`.',
  });
