import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OwnDataModule } from '../accounts/own-data.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { GamesModule } from '../games/games.module.js';
import { GuestsModule } from '../guests/guests.module.js';
import { MatchmakingModule } from '../matchmaking/matchmaking.module.js';
import { RatingsModule } from '../ratings/ratings.module.js';
import { UsersModule } from '../users/users.module.js';
import { ApplicationsController } from './applications.controller.js';
import { ApplicationsResolver } from './applications.resolver.js';
import { ApplicationsService } from './applications.service.js';
import { ApplicationsStore } from './applications.store.js';
import { CredentialsController } from './credentials.controller.js';
import { MadeGamesService } from './made-games.service.js';
import { MadeGamesStore } from './made-games.store.js';
import { OwnApplicationController } from './own-application.controller.js';
import { OwnApplicationResolver } from './own-application.resolver.js';
import { PlayerClaimsController } from './player-claims.controller.js';
import { PlayerClaimsResolver } from './player-claims.resolver.js';
import { PlayerClaims } from './player-claims.service.js';
import { PlayersService } from './players.service.js';
import { PlayersStore } from './players.store.js';

@Module({
  imports: [
    AccountsModule,
    AuthModule,
    GamesModule,
    GuestsModule,
    MatchmakingModule,
    OwnDataModule,
    RatingsModule,
    UsersModule,
  ],
  controllers: [
    ApplicationsController,
    CredentialsController,
    OwnApplicationController,
    PlayerClaimsController,
  ],
  providers: [
    ApplicationsResolver,
    ApplicationsService,
    ApplicationsStore,
    MadeGamesService,
    MadeGamesStore,
    OwnApplicationResolver,
    PlayerClaims,
    PlayerClaimsResolver,
    PlayersService,
    PlayersStore,
  ],
})
export class ApplicationsModule {}
