import { Module } from '@nestjs/common';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsResolver } from './notifications.resolver.js';
import { NotificationsService } from './notifications.service.js';
import { NotificationsStore } from './notifications.store.js';

@Module({
  controllers: [NotificationsController],
  providers: [NotificationsService, NotificationsStore, NotificationsResolver],
  exports: [NotificationsService],
})
export class NotificationsModule {}
