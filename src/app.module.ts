import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { OwnDataModule } from './accounts/own-data.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BlocksModule } from './blocks/blocks.module.js';
import { ChangesModule } from './changes/changes.module.js';
import type { Config } from './config.js';
import { ExportsModule } from './exports/exports.module.js';
import { GamesModule } from './games/games.module.js';
import { HistoryModule } from './history/history.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { MatchmakingModule } from './matchmaking/matchmaking.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { ConfigModule } from './platform/config.module.js';
import type { Database } from './platform/database/database.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { TransportModule } from './transport/transport.module.js';
import { RatingsModule } from './ratings/ratings.module.js';
import { UsersModule } from './users/users.module.js';

@Module({})
export class AppModule {
  static with(config: Config, database: Database): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        DatabaseModule.with(database),
        PlatformModule,
        UsersModule,
        AuthModule,
        BlocksModule,
        NotificationsModule,
        RatingsModule,
        GamesModule,
        HistoryModule,
        ExportsModule,
        ImportsModule,
        MatchmakingModule,
        AccountsModule,
        ChangesModule,
        OwnDataModule,
        TransportModule.with(config),
      ],
    };
  }
}
