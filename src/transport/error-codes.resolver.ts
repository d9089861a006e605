import { Query, Resolver } from '@nestjs/graphql';
import { ERROR_CODES } from '../platform/error-codes.js';
import { ExplainedErrorCode } from '../platform/error-codes.model.js';
import { Cost, rowsAtMost } from '../platform/graphql/cost.js';

@Resolver()
export class ErrorCodesResolver {
  @Cost(rowsAtMost(ERROR_CODES.length))
  @Query(() => [ExplainedErrorCode], { description: 'All error codes, and what to do.' })
  errorCodes(): readonly ExplainedErrorCode[] {
    return ERROR_CODES;
  }
}
