import { shown } from '../../rules/shown.js';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { badInput, renamingFields } from '../../platform/errors/errors.js';
import type { ShownGame } from './game.row.js';

/** The state of the game that a request is meant for, from its `version`, its `seen` or its If-Match header. */

const HEADER = 'If-Match';
const TAG = /^(?:W\/)?"v(\d{1,10})(?:\.([0-9a-f]{16}))?(?:-[^"]*)?"$/;
const HASH_DIGITS = 16;

/** What the input of a request says of the state that it is meant for. */
export interface Asked {
  readonly version?: number | null | undefined;
  readonly seen?: { readonly version: number; readonly hash: string } | null | undefined;
}

/** The version of a game that a request is meant for, and its newest hash or the first digits of it. */
export interface Expected {
  readonly version?: number | null | undefined;
  readonly hash?: string | undefined;
  /** True if the request says it in `seen`. */
  readonly isSeen?: boolean;
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

/** What the input and the header name. Throws BAD_INPUT if they differ. */
export function expectedOf({ version, seen }: Asked, matched: Expected = {}): Expected {
  const inHeader = { name: `the version in ${HEADER}`, version: matched.version };
  const inInput = { name: 'version', version };
  if (seen == null) return { ...matched, version: agreed(inInput, inHeader) };
  const inSeen = { name: 'seen.version', version: seen.version };
  agreed(inSeen, inInput);
  agreed(inSeen, inHeader);
  if (!seen.hash.startsWith(matched.hash ?? ''))
    throw badInput('seen.hash', `seen.hash must begin with ${matched.hash}, the digits in ${HEADER}. Send only one of them.`); // prettier-ignore
  return { ...seen, isSeen: true };
}

interface Named {
  readonly name: string;
  readonly version: Expected['version'];
}

/** The version that is named once, or twice alike. */
function agreed(one: Named, other: Named): Expected['version'] {
  if (one.version == null || other.version == null || one.version === other.version)
    return one.version ?? other.version;
  throw badInput(one.name, `${one.name} (${one.version}) must equal ${other.name} (${other.version}). Send only one of them.`); // prettier-ignore
}

/** The result of the work, whose refusals call the version by what this request calls it. */
export const namingVersion = <T>({ isSeen }: Expected, work: Promise<T>): Promise<T> =>
  isSeen === true ? renamingFields((field) => (field === 'version' ? 'seen.version' : field), work) : work;

/** The parameter with the state from the header. */
export const Matched = createParamDecorator((_: unknown, context: ExecutionContext) =>
  expectedBy(context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']),
);

/** Documents the header on a route. */
export const HeedsVersion = (): MethodDecorator =>
  ApiHeader({
    name: HEADER,
    required: false,
    description:
      'The ETag of the game that you saw, or "v12" for its version, in place of `version` or `seen`.',
  });
