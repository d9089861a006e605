import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { RecoveryModule } from '../recovery/recovery.module.js';
import { UsersModule } from '../users/users.module.js';
import { Claims } from './claims.js';
import { GuestsController } from './guests.controller.js';
import { GuestsResolver } from './guests.resolver.js';
import { GuestsService } from './guests.service.js';
import { GuestsStore } from './guests.store.js';

@Module({
  imports: [AccountsModule, AuthModule, RecoveryModule, UsersModule],
  controllers: [GuestsController],
  providers: [Claims, GuestsResolver, GuestsService, GuestsStore],
  exports: [Claims],
})
export class GuestsModule {}
