import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { REST_ERROR_CODES } from '../platform/error-codes.js';
import { ErrorCodePage } from '../platform/error-codes.model.js';

@ApiTags('errors')
@Controller('v1/error-codes')
export class ErrorCodesController {
  @Get()
  @ApiOperation({ operationId: 'errorCodes', summary: 'All error codes, and what to do' })
  @ApiOkResponse({ type: ErrorCodePage })
  errorCodes(): ErrorCodePage {
    return { items: REST_ERROR_CODES, next: null };
  }
}
