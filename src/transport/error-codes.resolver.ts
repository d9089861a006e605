import { Query, Resolver } from '@nestjs/graphql';
import { Public } from '../platform/access.js';
import { GRAPHQL_ERROR_CODES } from '../platform/error-codes.js';
import { explained, ExplainedErrorCode } from '../platform/error-codes.model.js';
import { Cost, rowsAtMost } from '../platform/graphql/cost.js';

@Resolver()
export class ErrorCodesResolver {
  @Cost(rowsAtMost(GRAPHQL_ERROR_CODES.length))
  @Public()
  @Query(() => [ExplainedErrorCode], { description: 'All error codes, with what they mean and what to do.' })
  errorCodes(): readonly ExplainedErrorCode[] {
    return GRAPHQL_ERROR_CODES.map(explained);
  }
}
