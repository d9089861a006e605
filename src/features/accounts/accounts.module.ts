import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { GamesModule } from '../games/games.module.js';
import { MatchmakingModule } from '../matchmaking/matchmaking.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsResolver } from './accounts.resolver.js';
import { AccountsService } from './accounts.service.js';
import { AccountsStore } from './accounts.store.js';

@Module({
  imports: [AuthModule, GamesModule, MatchmakingModule, UsersModule],
  controllers: [AccountsController],
  providers: [AccountsService, AccountsResolver, AccountsStore],
  exports: [AccountsService],
})
export class AccountsModule {}
