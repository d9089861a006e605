import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthModule } from '../features/auth/auth.module.js';
import type { Config } from '../config.js';
import { Turns } from '../platform/limits/turns.js';
import { Shutdown } from './shutdown.js';
import { ErrorCodesController } from './error-codes.controller.js';
import { ErrorCodesResolver } from './error-codes.resolver.js';
import { graphqlModule } from './graphql.js';
import { HealthController } from './health.controller.js';
import { RepeatedDocuments } from './repeated-documents.js';
import { Sockets } from './sockets.js';
import { TurnTaking } from './turn-taking.js';
import { UnknownQueryGuard } from './unknown-query.guard.js';

@Module({
  imports: [AuthModule],
  controllers: [HealthController, ErrorCodesController],
  providers: [
    Shutdown,
    Turns,
    TurnTaking,
    Sockets,
    RepeatedDocuments,
    ErrorCodesResolver,
    { provide: APP_GUARD, useClass: UnknownQueryGuard },
  ],
})
export class TransportModule {
  static with(config: Config): DynamicModule {
    return { module: TransportModule, imports: [graphqlModule(config)] };
  }
}
