import { Module } from '@nestjs/common';
import { Outgoing } from '../../platform/http/outgoing.js';
import { AuthModule } from '../auth/auth.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { EventLogModule } from '../events/event-log.module.js';
import { UsersModule } from '../users/users.module.js';
import { DispatchStore } from './dispatch.store.js';
import { Dispatcher } from './dispatcher.js';
import { WebhookMails } from './webhook-mails.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksResolver } from './webhooks.resolver.js';
import { WebhooksService } from './webhooks.service.js';
import { WebhooksStore } from './webhooks.store.js';

@Module({
  imports: [AuthModule, DeliveryModule, EventLogModule, UsersModule],
  controllers: [WebhooksController],
  providers: [
    Dispatcher,
    DispatchStore,
    Outgoing,
    WebhookMails,
    WebhookSecrets,
    WebhooksResolver,
    WebhooksService,
    WebhooksStore,
  ],
  exports: [WebhooksService],
})
export class WebhooksModule {}
