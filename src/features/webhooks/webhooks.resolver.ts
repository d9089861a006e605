import { Args, Query, Resolver } from '@nestjs/graphql';
import { NeedsKind, OWNERS } from '../../platform/contract/access.js';
import { Cost, rowsAtMost } from '../../platform/contract/cost.js';
import { InputArg, MutationOf, type PayloadOf } from '../../platform/contract/verb.js';
import type { Quotas } from '../../platform/limits/quotas.js';
import { OfQuotas } from '../auth/device.js';
import { OfOwner, type Principal } from '../auth/principal.js';
import {
  CreateWebhookInput,
  DeleteWebhookInput,
  RedeliverWebhookInput,
  ReplaceWebhookSecretInput,
  TestWebhookInput,
  UpdateWebhookInput,
  WebhookDeliveriesArgs,
} from './webhooks.inputs.js';
import { Webhook, WebhookDeliveryConnection } from './webhooks.model.js';
import { WebhooksService } from './webhooks.service.js';
import {
  CREATE_WEBHOOK,
  DELETE_WEBHOOK,
  REDELIVER_WEBHOOK,
  REPLACE_WEBHOOK_SECRET,
  TEST_WEBHOOK,
  UPDATE_WEBHOOK,
} from './webhooks.verbs.js';

/** A usual number of webhooks of one owner. */
const SOME = 10;

@Resolver()
export class WebhooksResolver {
  constructor(private readonly webhooks: WebhooksService) {}

  @Cost(rowsAtMost(SOME))
  @NeedsKind(OWNERS, 'webhooks')
  @Query(() => [Webhook], { description: 'Your webhooks, the one made last first.' })
  myWebhooks(@OfOwner() viewer: Principal): Promise<readonly Webhook[]> {
    return this.webhooks.listed(viewer);
  }

  @NeedsKind(OWNERS, 'webhooks')
  @Query(() => WebhookDeliveryConnection, {
    description: 'What a webhook of yours has sent in the last 30 days, the newest first.',
  })
  webhookDeliveries(
    @OfOwner() viewer: Principal,
    @Args() { id, ...page }: WebhookDeliveriesArgs,
  ): Promise<WebhookDeliveryConnection> {
    return this.webhooks.deliveries(viewer, id, page);
  }

  @MutationOf(CREATE_WEBHOOK)
  createWebhook(
    @OfOwner() viewer: Principal,
    @InputArg() input: CreateWebhookInput,
  ): Promise<PayloadOf<typeof CREATE_WEBHOOK>> {
    return this.webhooks.create(viewer, input);
  }

  @MutationOf(UPDATE_WEBHOOK)
  async updateWebhook(
    @OfOwner() viewer: Principal,
    @InputArg() { id, ...change }: UpdateWebhookInput,
  ): Promise<PayloadOf<typeof UPDATE_WEBHOOK>> {
    return { webhook: await this.webhooks.update(viewer, id, change) };
  }

  @MutationOf(DELETE_WEBHOOK)
  async deleteWebhook(
    @OfOwner() viewer: Principal,
    @InputArg() { id }: DeleteWebhookInput,
  ): Promise<PayloadOf<typeof DELETE_WEBHOOK>> {
    await this.webhooks.delete(viewer, id);
    return { deletedId: id };
  }

  @MutationOf(REPLACE_WEBHOOK_SECRET)
  replaceWebhookSecret(
    @OfOwner() viewer: Principal,
    @InputArg() { id }: ReplaceWebhookSecretInput,
  ): Promise<PayloadOf<typeof REPLACE_WEBHOOK_SECRET>> {
    return this.webhooks.replaceSecret(viewer, id);
  }

  @MutationOf(TEST_WEBHOOK)
  async testWebhook(
    @OfOwner() viewer: Principal,
    @InputArg() { id }: TestWebhookInput,
    @OfQuotas() quotas: Quotas,
  ): Promise<PayloadOf<typeof TEST_WEBHOOK>> {
    return { delivery: await this.webhooks.test(viewer, id, quotas) };
  }

  @MutationOf(REDELIVER_WEBHOOK)
  async redeliverWebhook(
    @OfOwner() viewer: Principal,
    @InputArg() { id, ...which }: RedeliverWebhookInput,
    @OfQuotas() quotas: Quotas,
  ): Promise<PayloadOf<typeof REDELIVER_WEBHOOK>> {
    return { asked: await this.webhooks.redeliver(viewer, id, which, quotas) };
  }
}
