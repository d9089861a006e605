import { Module } from '@nestjs/common';
import { GamesModule } from '../games/games.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { MatchmakingModule } from '../matchmaking/matchmaking.module.js';
import { RulesetsModule } from '../rulesets/rulesets.module.js';
import { UsersModule } from '../users/users.module.js';
import { NodesResolver } from './nodes.resolver.js';
import { NodesView } from './nodes.view.js';

@Module({
  imports: [GamesModule, ImportsModule, MatchmakingModule, RulesetsModule, UsersModule],
  providers: [NodesResolver, NodesView],
})
export class NodesModule {}
