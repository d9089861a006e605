import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../platform/contract/access.js';
import { REST_ERROR_CODES } from '../platform/errors/error-codes.js';
import { ErrorCodePage, explained } from '../platform/contract/error-codes.model.js';

@ApiTags('errors')
@Controller('v1/error-codes')
export class ErrorCodesController {
  @Public()
  @Get()
  @ApiOperation({
    operationId: 'errorCodes',
    summary: 'All error codes, with what they mean and what to do.',
  })
  @ApiOkResponse({ type: ErrorCodePage })
  errorCodes(): ErrorCodePage {
    return { items: REST_ERROR_CODES.map(explained), next: null };
  }
}
