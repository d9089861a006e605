import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/contract/access.js';
import { KeysService } from './keys.service.js';
import { WellKnown } from './well-known.model.js';

const KEPT_SECONDS = 300;

@ApiTags('fairness')
@Controller('.well-known')
export class WellKnownController {
  constructor(private readonly keys: KeysService) {}

  @Public()
  @Get('halfmove.json')
  @Header('cache-control', `public, max-age=${KEPT_SECONDS}`)
  @ApiOperation({
    operationId: 'wellKnown',
    summary: 'The public keys of the server and the place of its log.',
  })
  @ApiOkResponse({ type: WellKnown })
  async halfmove(): Promise<WellKnown> {
    const { name, log, keys } = await this.keys.keyring();
    return {
      name,
      log,
      keys: keys.map(({ key, use, firstUsedAt, retiredAt }) => ({
        key,
        use,
        from: firstUsedAt,
        until: retiredAt,
      })),
    };
  }
}
