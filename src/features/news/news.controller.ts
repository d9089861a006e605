import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/contract/access.js';
import { RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import { SignedIn, type Principal } from '../auth/principal.js';
import { PushSubscriptionParam, SavePushSubscriptionInput, UpdateNewsSettingsInput } from './news.inputs.js';
import { NewsSettings } from './news.model.js';
import { NewsService } from './news.service.js';
import { DELETE_PUSH_SUBSCRIPTION, SAVE_PUSH_SUBSCRIPTION, UPDATE_NEWS_SETTINGS } from './news.verbs.js';
import { PushSubscriptions } from './push-subscriptions.js';

@ApiTags('notifications')
@Controller('v1/me')
export class NewsController {
  constructor(
    private readonly news: NewsService,
    private readonly subscriptions: PushSubscriptions,
  ) {}

  @Needs('profile:read')
  @Get('news')
  @ApiOperation({
    operationId: 'newsSettings',
    summary: 'What you want to be told by mail and by push, and when.',
  })
  @ApiOkResponse({ type: NewsSettings })
  newsSettings(@SignedIn() viewer: Principal): Promise<NewsSettings> {
    return this.news.settings(viewer);
  }

  @Patch('news')
  @RouteOf(UPDATE_NEWS_SETTINGS)
  async updateNewsSettings(
    @SignedIn() viewer: Principal,
    @Body() input: UpdateNewsSettingsInput,
  ): Promise<RestPayloadOf<typeof UPDATE_NEWS_SETTINGS>> {
    return { newsSettings: await this.news.update(viewer, input) };
  }

  @Post('push-subscriptions')
  @RouteOf(SAVE_PUSH_SUBSCRIPTION, 201)
  async savePushSubscription(
    @SignedIn() viewer: Principal,
    @Body() input: SavePushSubscriptionInput,
  ): Promise<RestPayloadOf<typeof SAVE_PUSH_SUBSCRIPTION>> {
    return { pushSubscription: await this.subscriptions.save(viewer, input) };
  }

  @Delete('push-subscriptions/:id')
  @RouteOf(DELETE_PUSH_SUBSCRIPTION)
  async deletePushSubscription(
    @SignedIn() viewer: Principal,
    @Param() { id }: PushSubscriptionParam,
  ): Promise<RestPayloadOf<typeof DELETE_PUSH_SUBSCRIPTION>> {
    await this.subscriptions.delete(viewer, id);
    return { deletedId: id };
  }
}
