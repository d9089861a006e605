import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BlocksModule } from '../blocks/blocks.module.js';
import { EngineModule } from '../../engine/engine.module.js';
import { GamesModule } from '../games/games.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { RatingsModule } from '../ratings/ratings.module.js';
import { TransparencyModule } from '../transparency/transparency.module.js';
import { UsersModule } from '../users/users.module.js';
import { ChallengesController } from './challenges.controller.js';
import { ChallengesResolver } from './challenges.resolver.js';
import { ChallengesService } from './challenges.service.js';
import { ChallengesStore } from './challenges.store.js';
import { ChallengesView } from './challenges.view.js';
import { ClientSeedsService } from './client-seeds.service.js';
import { ClientSeedsStore } from './client-seeds.store.js';
import { Matching } from './matching.js';
import { InboxController } from './inbox.controller.js';
import { InboxResolver } from './inbox.resolver.js';
import { InboxView } from './inbox.view.js';
import { Invitations } from './invitations.js';
import { LobbyStore } from './lobby.store.js';
import { LobbyView } from './lobby.view.js';
import { MadeGames } from './made-games.js';
import { GameStart } from './game-start.js';
import { RematchesController } from './rematches.controller.js';
import { RematchesResolver } from './rematches.resolver.js';
import { RematchesService } from './rematches.service.js';
import { OpenLimits } from './open-limits.js';
import { SeeksController } from './seeks.controller.js';
import { SeeksResolver } from './seeks.resolver.js';
import { SeeksService } from './seeks.service.js';
import { SeeksStore } from './seeks.store.js';

@Module({
  imports: [
    AuthModule,
    BlocksModule,
    EngineModule,
    GamesModule,
    IdempotencyModule,
    NotificationsModule,
    RatingsModule,
    TransparencyModule,
    UsersModule,
  ],
  controllers: [ChallengesController, SeeksController, RematchesController, InboxController],
  providers: [
    ChallengesService,
    ChallengesView,
    ChallengesResolver,
    ChallengesStore,
    ClientSeedsService,
    ClientSeedsStore,
    Invitations,
    MadeGames,
    GameStart,
    Matching,
    OpenLimits,
    SeeksService,
    SeeksResolver,
    SeeksStore,
    LobbyStore,
    LobbyView,
    RematchesService,
    RematchesResolver,
    InboxView,
    InboxResolver,
  ],
  exports: [ChallengesService, ChallengesView, MadeGames],
})
export class MatchmakingModule {}
