import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CalendarModule } from '../calendar/calendar.module.js';
import { EngineModule } from '../../engine/engine.module.js';
import { RatingsModule } from '../ratings/ratings.module.js';
import { UsersModule } from '../users/users.module.js';
import { ClockTimer } from './clock-timer.js';
import { CommitStore } from './commit.store.js';
import { ConditionalMovesController } from './conditional-moves.controller.js';
import { ConditionalMovesResolver } from './conditional-moves.resolver.js';
import { ConditionalMovesService } from './conditional-moves.service.js';
import { FactFinder } from './facts.js';
import { Departures } from './departures.js';
import { GameOpener } from './game-opener.js';
import { GameTags } from './game-tags.js';
import { GamesController } from './games.controller.js';
import { GamesResolver } from './games.resolver.js';
import { GamesService } from './games.service.js';
import { GamesStore } from './games.store.js';
import { GamesView } from './games.view.js';
import { GameLog } from './log.js';
import { GameLogStore } from './game-log.store.js';
import { HotGames } from './hot-games.js';
import { KnownGames } from './known-games.js';
import { Participants } from './participants.js';
import { LegalMovesView } from './legal-moves.view.js';
import { PliesView } from './plies.view.js';
import { playControllers } from './play.controller.js';
import { playResolvers } from './play.resolver.js';
import { PlayService } from './play.service.js';
import { RatingPointsResolver } from './rating-points.resolver.js';
import { RatedEnds } from './rated-ends.js';
import { Referee } from './referee.js';
import { ConditionalReplies } from './conditional-replies.js';
import { ViewerResolver } from './viewer.resolver.js';
import { ViewerService } from './viewer.service.js';
import { Sweep } from './sweep.js';

@Module({
  imports: [AuthModule, CalendarModule, EngineModule, RatingsModule, UsersModule],
  controllers: [GamesController, ...playControllers, ConditionalMovesController],
  providers: [
    GamesService,
    GameOpener,
    PlayService,
    ...playResolvers,
    ConditionalMovesService,
    ConditionalMovesResolver,
    FactFinder,
    Referee,
    ConditionalReplies,
    Departures,
    GamesView,
    LegalMovesView,
    PliesView,
    GameTags,
    GamesResolver,
    ViewerResolver,
    ViewerService,
    RatingPointsResolver,
    GamesStore,
    GameLog,
    GameLogStore,
    CommitStore,
    HotGames,
    KnownGames,
    Participants,
    RatedEnds,
    ClockTimer,
    Sweep,
  ],
  exports: [Departures, GameOpener, GamesService, GamesView, GameTags, Participants, PliesView, Referee],
})
export class GamesModule {}
