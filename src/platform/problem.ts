import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CODE } from './error-codes.model.js';
import type { ErrorCode } from './error-codes.js';

/** Problem details (RFC 9457), as every error of the REST side is answered. */
export class Problem {
  @ApiProperty({ example: 'about:blank' })
  readonly type: string;

  @ApiProperty({ example: 'Conflict' })
  readonly title: string;

  @ApiProperty({ type: 'integer', example: 409 })
  readonly status: number;

  @ApiProperty({ description: 'What is wrong and what to do, for people.' })
  readonly detail: string;

  @ApiProperty({ ...ERROR_CODE, example: 'STALE_PLY' })
  readonly code: ErrorCode;

  @ApiProperty({ required: false, description: 'The part of the input that is wrong.' })
  readonly field?: string;

  @ApiProperty({ required: false, description: 'ILLEGAL_MOVE: why, for programs.', example: 'cannotReach' })
  readonly fault?: string;

  @ApiProperty({
    required: false,
    type: [String],
    description: 'AMBIGUOUS_MOVE: the moves that it may be.',
    example: ['b1d2', 'f3d2'],
  })
  readonly candidates?: readonly string[];

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'INVALID_GAME_TEXT: where the text is wrong, from 1.',
  })
  readonly line?: number;

  @ApiProperty({ type: 'integer', required: false, description: 'INVALID_GAME_TEXT: from 1, in characters.' })
  readonly column?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'Seconds until the same request may succeed.',
  })
  readonly retryAfter?: number;

  @ApiProperty({ description: 'Under which the log has the request.' })
  readonly requestId: string;
}
