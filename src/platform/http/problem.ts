import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ERROR_CODE } from '../contract/error-codes.model.js';
import type { ErrorCode } from '../errors/error-codes.js';

/** Problem details (RFC 9457), the form of every REST error. */
@ApiSchema({ description: 'An error, as problem details (RFC 9457).' })
export class Problem {
  @ApiProperty({ description: 'The type of the problem, always about:blank.', example: 'about:blank' })
  readonly type: string;

  @ApiProperty({ description: 'The name of the HTTP status.', example: 'Conflict' })
  readonly title: string;

  @ApiProperty({ type: 'integer', description: 'The HTTP status of the answer.', example: 409 })
  readonly status: number;

  @ApiProperty({ description: 'A text for people: what is wrong with the request and what to do.' })
  readonly detail: string;

  @ApiProperty({ ...ERROR_CODE, description: 'The error code, for programs.', example: 'STALE_PLY' })
  readonly code: ErrorCode;

  @ApiProperty({ required: false, description: 'The part of the request that is wrong, if one is.' })
  readonly field?: string;

  @ApiProperty({
    required: false,
    description: 'The reason of ILLEGAL_MOVE, for programs.',
    example: 'cannotReach',
  })
  readonly fault?: string;

  @ApiProperty({
    required: false,
    type: [String],
    description:
      'The moves that an ambiguous move, sent alone or in a text, may stand for, as they are stored.',
    example: ['b1d2', 'f3d2'],
  })
  readonly candidates?: readonly string[];

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'STALE_VERSION: the version that the game has.',
    example: 12,
  })
  readonly currentVersion?: number;

  @ApiProperty({
    required: false,
    description: 'The smallest value that the field may have, or its shortest length.',
    example: 3600,
  })
  readonly min?: number;

  @ApiProperty({
    required: false,
    description: 'The largest value that the field may have, or its longest length.',
    example: 1209600,
  })
  readonly max?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'How many of something there may be at once, or in a stretch of time.',
    example: 100,
  })
  readonly limit?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'The line of the fault in the text, from 1, of INVALID_GAME_TEXT.',
  })
  readonly line?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'The column of the fault in its line, in characters from 1, of INVALID_GAME_TEXT.',
  })
  readonly column?: number;

  @ApiProperty({
    required: false,
    description: 'INSUFFICIENT_SCOPE: all scopes that are needed, with spaces between.',
    example: 'games:read',
  })
  readonly scope?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'The whole seconds after which the same request may succeed.',
  })
  readonly retryAfter?: number;

  @ApiProperty({
    required: false,
    description: 'Of `POST /oauth/token`: the error in the words of RFC 6749.',
    example: 'invalid_client',
  })
  readonly error?: string;

  @ApiProperty({
    required: false,
    description: 'Of `POST /oauth/token`: `detail` in the characters that OAuth allows.',
  })
  readonly error_description?: string;

  @ApiProperty({ description: 'The id of the request in the log of the server.' })
  readonly requestId: string;
}
