import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsKind, OWNERS } from '../../platform/contract/access.js';
import { PageArgs } from '../../platform/contract/page.inputs.js';
import { listPage, Paginated, wholeList } from '../../platform/contract/paginated.js';
import { Refuses, RouteOf, type RestPayloadOf } from '../../platform/contract/verb.js';
import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { OfOwner, type Principal } from '../auth/principal.js';
import {
  CreateWebhookInput,
  RedeliverWebhookBody,
  UpdateWebhookBody,
  WebhookParam,
} from './webhooks.inputs.js';
import { WebhookDeliveryPage, WebhookPage } from './webhooks.model.js';
import { WebhooksService } from './webhooks.service.js';
import {
  CREATE_WEBHOOK,
  DELETE_WEBHOOK,
  REDELIVER_WEBHOOK,
  REPLACE_WEBHOOK_SECRET,
  TEST_WEBHOOK,
  UPDATE_WEBHOOK,
} from './webhooks.verbs.js';

@ApiTags('webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @NeedsKind(OWNERS, 'webhooks')
  @Get()
  @ApiOperation({ operationId: 'myWebhooks', summary: 'Your webhooks, the one made last first.' })
  @ApiOkResponse({ type: WebhookPage })
  async myWebhooks(@OfOwner() viewer: Principal): Promise<WebhookPage> {
    return wholeList(await this.webhooks.listed(viewer));
  }

  @NeedsKind(OWNERS, 'webhooks')
  @Get(':id/deliveries')
  @Refuses('NOT_FOUND')
  @ApiOperation({
    operationId: 'webhookDeliveries',
    summary: 'What a webhook of yours has sent in the last 30 days, the newest first.',
  })
  @Paginated(WebhookDeliveryPage)
  async webhookDeliveries(
    @OfOwner() viewer: Principal,
    @Param() { id }: WebhookParam,
    @Query() page: PageArgs,
  ): Promise<WebhookDeliveryPage> {
    return listPage(await this.webhooks.deliveries(viewer, id, page));
  }

  @Post()
  @RouteOf(CREATE_WEBHOOK, 201)
  createWebhook(
    @OfOwner() viewer: Principal,
    @Body() body: CreateWebhookInput,
  ): Promise<RestPayloadOf<typeof CREATE_WEBHOOK>> {
    return this.webhooks.create(viewer, body);
  }

  @Patch(':id')
  @RouteOf(UPDATE_WEBHOOK)
  async updateWebhook(
    @OfOwner() viewer: Principal,
    @Param() { id }: WebhookParam,
    @Body() body: UpdateWebhookBody,
  ): Promise<RestPayloadOf<typeof UPDATE_WEBHOOK>> {
    return { webhook: await this.webhooks.update(viewer, id, body) };
  }

  @Delete(':id')
  @RouteOf(DELETE_WEBHOOK)
  async deleteWebhook(
    @OfOwner() viewer: Principal,
    @Param() { id }: WebhookParam,
  ): Promise<RestPayloadOf<typeof DELETE_WEBHOOK>> {
    await this.webhooks.delete(viewer, id);
    return { deletedId: id };
  }

  @Post(':id/secrets')
  @RouteOf(REPLACE_WEBHOOK_SECRET, 201)
  replaceWebhookSecret(
    @OfOwner() viewer: Principal,
    @Param() { id }: WebhookParam,
  ): Promise<RestPayloadOf<typeof REPLACE_WEBHOOK_SECRET>> {
    return this.webhooks.replaceSecret(viewer, id);
  }

  @Post(':id/tests')
  @RouteOf(TEST_WEBHOOK, 202)
  async testWebhook(
    @OfOwner() viewer: Principal,
    @Param() { id }: WebhookParam,
    @OfQuotas() quotas: Quotas,
  ): Promise<RestPayloadOf<typeof TEST_WEBHOOK>> {
    return { delivery: await this.webhooks.test(viewer, id, quotas) };
  }

  @Post(':id/redeliveries')
  @RouteOf(REDELIVER_WEBHOOK, 202)
  async redeliverWebhook(
    @OfOwner() viewer: Principal,
    @Param() { id }: WebhookParam,
    @Body() body: RedeliverWebhookBody,
    @OfQuotas() quotas: Quotas,
  ): Promise<RestPayloadOf<typeof REDELIVER_WEBHOOK>> {
    return { asked: await this.webhooks.redeliver(viewer, id, body, quotas) };
  }
}
