import { Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CODES, REST_ERROR_CODES, type ErrorCode } from './error-codes.js';
import { model, shown } from './model.js';

/** The error codes as both schemas show them. */

const NAMED = { name: 'ErrorCode', description: 'Why a request was refused: `extensions.code` of an error.' };

export const ErrorCodeEnum = Object.fromEntries(ERROR_CODES.map(({ code }) => [code, code])) as Readonly<
  Record<ErrorCode, ErrorCode>
>;
registerEnumType(ErrorCodeEnum, {
  ...NAMED,
  valuesMap: Object.fromEntries(ERROR_CODES.map(({ code, description }) => [code, { description }])),
});

/** The same in OpenAPI, whose enums have one description in all. */
export const ERROR_CODE = {
  enum: REST_ERROR_CODES.map(({ code }) => code),
  enumName: NAMED.name,
  enumSchema: {
    description: REST_ERROR_CODES.map(
      ({ code, status, description }) => `- \`${code}\` (${status}): ${description}`,
    ).join('\n'),
  },
};

const EXPLAINED = {
  status: shown(Int, {
    description: 'The status of the answer over HTTP. GraphQL answers most of them with 200.',
  }),
  description: shown(String, { description: 'What is wrong.' }),
  advice: shown(String, { description: 'What to do now.' }),
};

@ObjectType({ description: 'What an error code means.' })
export class ExplainedErrorCode extends model({ code: shown(ErrorCodeEnum), ...EXPLAINED }) {}

/** The same in REST, which has not all of them. */
export class ErrorCodeDocument extends model(EXPLAINED) {
  @ApiProperty(ERROR_CODE)
  readonly code: ErrorCode;
}

export class ErrorCodePage {
  @ApiProperty({ type: [ErrorCodeDocument] })
  readonly items: readonly ErrorCodeDocument[];

  @ApiProperty({ type: String, nullable: true, description: 'Always null: this is all of them.' })
  readonly next: string | null;
}
