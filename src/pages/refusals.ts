import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { COMMON_CODES, inTableOrder } from '../platform/errors/common-codes.js';
import { ERRORS, type ErrorCode } from '../platform/errors/error-codes.js';
import { PROBLEM_TYPE } from '../platform/http/problem.filter.js';
import { Problem } from '../platform/http/problem.js';
import { REFUSES } from '../platform/contract/verb.js';

/** The error responses of each REST operation, by status. */

const PROBLEM = 'application/problem+json';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Marked = Operation & { readonly [REFUSES]?: readonly ErrorCode[]; readonly [PROBLEM_TYPE]?: string };

/** The `default` response: the errors that any operation may have. */
export const COMMON_REFUSALS = { Refused: refusal(COMMON_CODES.rest) };
const ANY_OTHER = { $ref: '#/components/responses/Refused' };

export function withRefusals({
  [REFUSES]: declared = [],
  [PROBLEM_TYPE]: type = PROBLEM,
  ...operation
}: Marked): Operation {
  const codes = inTableOrder([...implied(operation), ...declared]);
  const statuses = [...new Set(codes.map(statusOf))];
  const refusals = statuses.map((status) => {
    const named = codes.filter((code) => statusOf(code) === status);
    return [status, refusal(named, type)] as const;
  });
  const named = Object.fromEntries([...refusals, ...unmet(operation)]);
  const other = type === PROBLEM ? ANY_OTHER : refusal(COMMON_CODES.rest, type);
  return { ...operation, responses: { ...operation.responses, ...named, default: other } };
}

/** The codes that follow from the parameters, the body and the security of an operation. */
function implied({ parameters = [], requestBody, security = [] }: Operation): readonly ErrorCode[] {
  const [inPath, inQuery] = [namesIn('path', parameters), namesIn('query', parameters)];
  const rules: readonly (readonly [ErrorCode, boolean])[] = [
    ['BAD_INPUT', inPath.length + inQuery.length > 0 || requestBody !== undefined],
    ['UNAUTHENTICATED', security.some((scheme) => !isNone(scheme))],
    // Where a token is optional, one without the scope is treated like no token.
    ['INSUFFICIENT_SCOPE', security.some(namesScopes) && !security.some(isNone)],
    ['INVALID_CURSOR', inQuery.includes('after')],
    ['INVALID_RULESET', [...inPath, ...inQuery].includes('ruleset')],
    ['NOT_FOUND', inPath.some((name) => !['ruleset', 'externalId'].includes(name))],
  ];
  return rules.filter(([, applies]) => applies).map(([code]) => code);
}

const isNone = (scheme: object): boolean => Object.keys(scheme).length === 0;

const namesScopes = (scheme: Readonly<Record<string, readonly string[]>>): boolean =>
  Object.values(scheme).some(({ length }) => length > 0);

/** A stale version in the If-Match header has its own status. */
const unmet = ({ parameters = [] }: Operation) =>
  namesIn('header', parameters).includes('If-Match') ? [[412, refusal(['STALE_VERSION'])] as const] : [];

const namesIn = (place: string, parameters: NonNullable<Operation['parameters']>): readonly string[] =>
  parameters.flatMap((each) => ('in' in each && each.in === place ? [each.name] : []));

const statusOf = (code: ErrorCode): number => ERRORS[code].status;

function refusal(codes: readonly ErrorCode[], type = PROBLEM) {
  const one = { properties: { code: { type: 'string' as const, enum: [...codes] } } };
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].description}`).join('\n'),
    content: { [type]: { schema: { allOf: [{ $ref: getSchemaPath(Problem) }, one] } } },
  };
}
