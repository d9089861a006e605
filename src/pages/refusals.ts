import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { COMMON_CODES, inTableOrder } from '../platform/common-codes.js';
import { ERRORS, type ErrorCode } from '../platform/error-codes.js';
import { Problem } from '../platform/problem.js';
import { REFUSES } from '../platform/verb.js';

/** What each operation of REST may be refused with, by the status of the answer. */

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Marked = Operation & { readonly [REFUSES]?: readonly ErrorCode[] };

/** What stands below `default`: a problem of any operation. */
export const COMMON_REFUSALS = { Refused: refusal(COMMON_CODES.rest) };
const ANY_OTHER = { $ref: '#/components/responses/Refused' };

export function withRefusals({ [REFUSES]: told = [], ...operation }: Marked): Operation {
  const codes = inTableOrder([...implied(operation), ...told]);
  const statuses = [...new Set(codes.map(statusOf))];
  const refusals = statuses.map((status) => {
    const named = codes.filter((code) => statusOf(code) === status);
    return [status, refusal(named)] as const;
  });
  const named = Object.fromEntries([...refusals, ...unmet(operation)]);
  return { ...operation, responses: { ...operation.responses, ...named, default: ANY_OTHER } };
}

/** What follows from what an operation takes. */
function implied({ parameters = [], requestBody, security = [] }: Operation): readonly ErrorCode[] {
  const [inPath, inQuery] = [namesIn('path', parameters), namesIn('query', parameters)];
  const rules: readonly (readonly [ErrorCode, boolean])[] = [
    ['BAD_INPUT', inPath.length + inQuery.length > 0 || requestBody !== undefined],
    ['UNAUTHENTICATED', security.some((scheme) => Object.keys(scheme).length > 0)],
    // Where a token is optional, one that lacks a scope counts as none.
    ['INSUFFICIENT_SCOPE', security.length > 0 && security.every(namesScopes)],
    ['INVALID_CURSOR', inQuery.includes('after')],
    ['INVALID_RULESET', [...inPath, ...inQuery].includes('ruleset')],
    ['NOT_FOUND', inPath.some((name) => name !== 'ruleset')],
  ];
  return rules.filter(([, applies]) => applies).map(([code]) => code);
}

const namesScopes = (scheme: Readonly<Record<string, readonly string[]>>): boolean =>
  Object.values(scheme).some(({ length }) => length > 0);

/** The version of a request has a status of its own where it comes as a header. */
const unmet = ({ parameters = [] }: Operation) =>
  namesIn('header', parameters).includes('If-Match') ? [[412, refusal(['STALE_VERSION'])] as const] : [];

const namesIn = (place: string, parameters: NonNullable<Operation['parameters']>): readonly string[] =>
  parameters.flatMap((each) => ('in' in each && each.in === place ? [each.name] : []));

const statusOf = (code: ErrorCode): number => ERRORS[code].status;

function refusal(codes: readonly ErrorCode[]) {
  const one = { properties: { code: { type: 'string' as const, enum: [...codes] } } };
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].description}`).join('\n'),
    content: { 'application/problem+json': { schema: { allOf: [{ $ref: getSchemaPath(Problem) }, one] } } },
  };
}
