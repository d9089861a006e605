import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { UsersModule } from '../users/users.module.js';
import { EmailsService } from './emails.service.js';
import { RecoveriesService } from './recoveries.service.js';
import { RecoveryController } from './recovery.controller.js';
import { RecoveryMails } from './recovery.mails.js';
import { RecoveryResolver } from './recovery.resolver.js';
import { RecoveryStore } from './recovery.store.js';

@Module({
  imports: [AuthModule, DeliveryModule, UsersModule],
  controllers: [RecoveryController],
  providers: [EmailsService, RecoveriesService, RecoveryMails, RecoveryResolver, RecoveryStore],
  exports: [EmailsService, RecoveriesService],
})
export class RecoveryModule {}
