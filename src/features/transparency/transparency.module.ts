import { Module } from '@nestjs/common';
import { EngineModule } from '../../engine/engine.module.js';
import { KeysService } from './keys.service.js';
import { KeysStore } from './keys.store.js';
import { LogController } from './log.controller.js';
import { LogOrder } from './log-order.js';
import { LogService } from './log.service.js';
import { LogStore } from './log.store.js';
import { WellKnownController } from './well-known.controller.js';

@Module({
  imports: [EngineModule],
  controllers: [LogController, WellKnownController],
  providers: [KeysService, KeysStore, LogOrder, LogService, LogStore],
  exports: [LogOrder],
})
export class TransparencyModule {}
