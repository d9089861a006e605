import { Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { COMMON_CODES } from '../errors/common-codes.js';
import {
  GRAPHQL_ERROR_CODES,
  REST_ERROR_CODES,
  type ERROR_CODES,
  type ErrorCode,
} from '../errors/error-codes.js';
import { model, shown } from './model.js';
import { verbsNaming } from './verb.js';

/** The error codes in both schemas. */

const NAMED = {
  name: 'ErrorCode',
  description:
    'The reason why a request was refused, as in `extensions.code` of a GraphQL error. The description of a mutation ' +
    `names those that it can give beside those that any operation can: ${COMMON_CODES.graphql.join(', ')}.`,
};

export const ErrorCodeEnum = Object.fromEntries(
  GRAPHQL_ERROR_CODES.map(({ code }) => [code, code]),
) as Readonly<Record<ErrorCode, ErrorCode>>;
registerEnumType(ErrorCodeEnum, {
  ...NAMED,
  valuesMap: Object.fromEntries(GRAPHQL_ERROR_CODES.map(({ code, description }) => [code, { description }])),
});

/** The same in OpenAPI, where an enum has a single description. */
export const ERROR_CODE = {
  enum: REST_ERROR_CODES.map(({ code }) => code),
  enumName: NAMED.name,
  enumSchema: {
    description: REST_ERROR_CODES.map(
      ({ code, status, description }) => `- \`${code}\` (${status}): ${description}`,
    ).join('\n'),
  },
};

const CODE = 'The error code.';

const EXPLAINED = {
  status: shown(Int, {
    description: 'The HTTP status of the answer in REST. Over GraphQL most errors come with status 200.',
  }),
  description: shown(String, { description: 'What is wrong with the request, in one sentence.' }),
  advice: shown(String, { description: 'What to do now, in one sentence.' }),
  mutations: shown([String], {
    description:
      'The mutations that can give this code; REST uses the same names as operation ids. Empty for a code that any ' +
      'request, or only a query, can give.',
  }),
};

@ObjectType({ description: 'An error code and its meaning.' })
export class ExplainedErrorCode extends model({
  code: shown(ErrorCodeEnum, { description: CODE }),
  ...EXPLAINED,
}) {}

/** An error code as the API shows it. */
export const explained = ({ code, status, description, advice }: (typeof ERROR_CODES)[number]) => ({
  ...{ code, status, description, advice },
  mutations: verbsNaming(code),
});

/** The same in REST, which has fewer codes. */
@ApiSchema({ description: 'An error code and its meaning.' })
export class ExplainedErrorCodeDocument extends model(EXPLAINED) {
  @ApiProperty({ ...ERROR_CODE, description: CODE })
  readonly code: ErrorCode;
}

@ApiSchema({ description: 'The list of all error codes.' })
export class ErrorCodePage {
  @ApiProperty({ type: [ExplainedErrorCodeDocument], description: 'All error codes.' })
  readonly items: readonly ExplainedErrorCodeDocument[];

  @ApiProperty({ type: String, nullable: true, description: 'Always null, as there is one page only.' })
  readonly next: string | null;
}
