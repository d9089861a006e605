import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { badInput } from '../../platform/errors.js';

/** The version that an act is meant for, as the header of a request to REST. */

const HEADER = 'If-Match';
const TAG = /^(?:W\/)?"v(\d{1,10})(?:-[^"]*)?"$/;

/** Null: any version. Throws BAD_INPUT for what is no tag of a game. */
function versionIn(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null;
  const version = TAG.exec(header.trim())?.[1];
  if (version !== undefined) return Number(version);
  throw badInput(HEADER, `${HEADER} must be one ETag of a game, or "v12" for version 12, or *.`);
}

/** The version that a request names: in its header, or in its body. Throws BAD_INPUT where they differ. */
export function versionOf(
  { version }: { readonly version?: number | null | undefined },
  matched: number | null,
): number | null | undefined {
  if (matched === null || version == null || version === matched) return matched ?? version;
  throw badInput('version', `version (${version}) must be that of ${HEADER} (${matched}): give one of them.`);
}

/** What the header says, as versionIn reads it. */
export const Matched = createParamDecorator((_: unknown, context: ExecutionContext) =>
  versionIn(context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']),
);

/** A route that heeds the header. */
export const HeedsVersion = (): MethodDecorator =>
  ApiHeader({
    name: HEADER,
    required: false,
    description: 'The ETag of the game that you saw, or "v12" for its version, in place of `version`.',
  });
