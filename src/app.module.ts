import { Module, type DynamicModule } from '@nestjs/common';
import { AboutModule } from './features/about/about.module.js';
import { AccountsModule } from './features/accounts/accounts.module.js';
import { OwnDataModule } from './features/accounts/own-data.module.js';
import { AnalysisModule } from './features/analysis/analysis.module.js';
import { AuthModule } from './features/auth/auth.module.js';
import { BoardsModule } from './features/boards/boards.module.js';
import { BlocksModule } from './features/blocks/blocks.module.js';
import { ChangesModule } from './features/changes/changes.module.js';
import type { Config } from './config.js';
import { EventsModule } from './features/events/events.module.js';
import { ExportsModule } from './features/exports/exports.module.js';
import { GamesModule } from './features/games/games.module.js';
import { ApplicationsModule } from './features/applications/applications.module.js';
import { GuestsModule } from './features/guests/guests.module.js';
import { HistoryModule } from './features/history/history.module.js';
import { ImportsModule } from './features/imports/imports.module.js';
import { MatchmakingModule } from './features/matchmaking/matchmaking.module.js';
import { MessagesModule } from './features/messages/messages.module.js';
import { NewsModule } from './features/news/news.module.js';
import { NodesModule } from './features/nodes/nodes.module.js';
import { NotificationsModule } from './features/notifications/notifications.module.js';
import { ConfigModule } from './platform/process/config.module.js';
import type { Database } from './platform/database/database.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { PlatformModule } from './platform/platform.module.js';
import { RecoveryModule } from './features/recovery/recovery.module.js';
import { TokensModule } from './features/tokens/tokens.module.js';
import { TransparencyModule } from './features/transparency/transparency.module.js';
import { TransportModule } from './transport/transport.module.js';
import { RatingsModule } from './features/ratings/ratings.module.js';
import { RulesetsModule } from './features/rulesets/rulesets.module.js';
import { WebhooksModule } from './features/webhooks/webhooks.module.js';
import { UsersModule } from './features/users/users.module.js';

import { OpeningsModule } from './features/openings/openings.module.js';
import { VacationsModule } from './features/vacations/vacations.module.js';

@Module({})
export class AppModule {
  static with(config: Config, database: Database): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        DatabaseModule.with(database),
        PlatformModule,
        RulesetsModule,
        AboutModule,
        UsersModule,
        AuthModule,
        BlocksModule,
        NotificationsModule,
        RatingsModule,
        GamesModule,
        AnalysisModule,
        BoardsModule,
        MessagesModule,
        VacationsModule,
        HistoryModule,
        OpeningsModule,
        ExportsModule,
        ImportsModule,
        MatchmakingModule,
        AccountsModule,
        ApplicationsModule,
        GuestsModule,
        RecoveryModule,
        TokensModule,
        ChangesModule,
        NewsModule,
        NodesModule,
        EventsModule,
        WebhooksModule,
        OwnDataModule,
        TransparencyModule,
        TransportModule.with(config),
      ],
    };
  }
}
