import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { wholeList } from '../../platform/contract/paginated.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { CreateTokenInput, DeleteTokenInput } from './tokens.inputs.js';
import { PersonalTokenPage } from './tokens.model.js';
import { TokensService } from './tokens.service.js';
import { CREATE_TOKEN, DELETE_TOKEN } from './tokens.verbs.js';

@ApiTags('auth')
@Controller('v1/me/tokens')
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Needs('account')
  @Get()
  @ApiOperation({ operationId: 'myTokens', summary: 'Your personal tokens, the one made last first.' })
  @ApiOkResponse({ type: PersonalTokenPage })
  async myTokens(@SignedIn() viewer: Principal): Promise<PersonalTokenPage> {
    return wholeList(await this.tokens.listed(viewer));
  }

  @Post()
  @RouteOf(CREATE_TOKEN, 201)
  createToken(
    @SignedIn() viewer: Principal,
    @Body() body: CreateTokenInput,
    @OfQuotas() quotas: Quotas,
  ): Promise<RestPayloadOf<typeof CREATE_TOKEN>> {
    return this.tokens.make(viewer, body, quotas);
  }

  @Delete(':id')
  @RouteOf(DELETE_TOKEN)
  async deleteToken(
    @SignedIn() viewer: Principal,
    @Param() { id }: DeleteTokenInput,
  ): Promise<RestPayloadOf<typeof DELETE_TOKEN>> {
    return { ended: await this.tokens.delete(viewer, id) };
  }
}
