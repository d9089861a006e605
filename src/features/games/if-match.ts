import { shown } from '../../rules/shown.js';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { badInput } from '../../platform/errors/errors.js';

/** The version that a REST request is meant for, from its If-Match header. */

const HEADER = 'If-Match';
const TAG = /^(?:W\/)?"v(\d{1,10})(?:-[^"]*)?"$/;

/** The version in the header; null for any. Throws BAD_INPUT if it is not the tag of a game. */
function versionIn(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null;
  const version = TAG.exec(header.trim())?.[1];
  if (version !== undefined) return Number(version);
  const given = shown(header);
  throw badInput(HEADER, `${HEADER} must be the ETag of a game, "v12" for version 12, or *; got ${given}.`);
}

/** The version from the header or from the body. Throws BAD_INPUT if they differ. */
export function versionOf(
  { version }: { readonly version?: number | null | undefined },
  matched: number | null,
): number | null | undefined {
  if (matched === null || version == null || version === matched) return matched ?? version;
  throw badInput('version', `version (${version}) must equal the version in ${HEADER} (${matched}). Send only one of them.`); // prettier-ignore
}

/** The parameter with the version from the header. */
export const Matched = createParamDecorator((_: unknown, context: ExecutionContext) =>
  versionIn(context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']),
);

/** Documents the header on a route. */
export const HeedsVersion = (): MethodDecorator =>
  ApiHeader({
    name: HEADER,
    required: false,
    description: 'The ETag of the game that you saw, or "v12" for its version, in place of `version`.',
  });
