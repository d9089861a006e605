import { Query, Resolver } from '@nestjs/graphql';
import { Public } from '../platform/contract/access.js';
import { GRAPHQL_ERROR_CODES } from '../platform/errors/error-codes.js';
import { explained, ExplainedErrorCode } from '../platform/contract/error-codes.model.js';
import { Cost, rowsAtMost } from '../platform/contract/cost.js';

@Resolver()
export class ErrorCodesResolver {
  @Cost(rowsAtMost(GRAPHQL_ERROR_CODES.length))
  @Public()
  @Query(() => [ExplainedErrorCode], { description: 'All error codes, with what they mean and what to do.' })
  errorCodes(): readonly ExplainedErrorCode[] {
    return GRAPHQL_ERROR_CODES.map(explained);
  }
}
