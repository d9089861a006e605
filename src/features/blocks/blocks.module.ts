import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { BlocksController } from './blocks.controller.js';
import { BlocksResolver } from './blocks.resolver.js';
import { BlocksService } from './blocks.service.js';
import { BlocksStore } from './blocks.store.js';
import { BlocksView } from './blocks.view.js';

@Module({
  imports: [UsersModule],
  controllers: [BlocksController],
  providers: [BlocksService, BlocksView, BlocksResolver, BlocksStore],
  exports: [BlocksService],
})
export class BlocksModule {}
