import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from '../features/auth/auth.module.js';
import type { Config } from '../config.js';
import { Departure } from './departure.js';
import { ErrorCodesController } from './error-codes.controller.js';
import { ErrorCodesResolver } from './error-codes.resolver.js';
import { graphqlModule } from './graphql.js';
import { HealthController } from './health.controller.js';
import { Sockets } from './sockets.js';

@Module({
  imports: [AuthModule],
  controllers: [HealthController, ErrorCodesController],
  providers: [Departure, Sockets, ErrorCodesResolver],
})
export class TransportModule {
  static with(config: Config): DynamicModule {
    return { module: TransportModule, imports: [graphqlModule(config)] };
  }
}
