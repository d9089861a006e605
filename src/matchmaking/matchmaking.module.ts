import { Module } from '@nestjs/common';
import { BlocksModule } from '../blocks/blocks.module.js';
import { EngineModule } from '../engine/engine.module.js';
import { GamesModule } from '../games/games.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { IdempotencyModule } from '../platform/idempotency.module.js';
import { UsersModule } from '../users/users.module.js';
import { ChallengesController } from './challenges.controller.js';
import { ChallengesResolver } from './challenges.resolver.js';
import { ChallengesService } from './challenges.service.js';
import { ChallengesStore } from './challenges.store.js';
import { ChallengesView } from './challenges.view.js';
import { InboxController } from './inbox.controller.js';
import { InboxResolver } from './inbox.resolver.js';
import { InboxService } from './inbox.service.js';
import { InboxView } from './inbox.view.js';
import { Invitations } from './invitations.js';
import { RematchesController } from './rematches.controller.js';
import { RematchesResolver } from './rematches.resolver.js';
import { RematchesService } from './rematches.service.js';

@Module({
  imports: [BlocksModule, EngineModule, GamesModule, IdempotencyModule, NotificationsModule, UsersModule],
  controllers: [ChallengesController, RematchesController, InboxController],
  providers: [
    ChallengesService,
    ChallengesView,
    ChallengesResolver,
    ChallengesStore,
    Invitations,
    RematchesService,
    RematchesResolver,
    InboxService,
    InboxView,
    InboxResolver,
  ],
})
export class MatchmakingModule {}
