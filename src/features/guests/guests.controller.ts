import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { type ClientOf, OfClient } from '../auth/device.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { ClaimAccountInput, CreateGuestInput } from './guests.inputs.js';
import { GuestsService } from './guests.service.js';
import { CLAIM_ACCOUNT, CREATE_GUEST } from './guests.verbs.js';

@ApiTags('auth')
@Controller('v1')
export class GuestsController {
  constructor(private readonly guests: GuestsService) {}

  @Post('guests')
  @RouteOf(CREATE_GUEST, 201)
  async createGuest(
    @Body() { displayName }: CreateGuestInput,
    @OfClient() client: ClientOf,
  ): Promise<RestPayloadOf<typeof CREATE_GUEST>> {
    return { session: await this.guests.create(displayName ?? null, client) };
  }

  @Post('me/claim')
  @RouteOf(CLAIM_ACCOUNT)
  async claimAccount(
    @SignedIn() viewer: Principal,
    @Body() body: ClaimAccountInput,
    @OfClient() client: ClientOf,
  ): Promise<RestPayloadOf<typeof CLAIM_ACCOUNT>> {
    return { session: await this.guests.claim(viewer, body, client) };
  }
}
