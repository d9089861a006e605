import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { graphqlModule } from './graphql.js';
import { HealthController } from './health.controller.js';
import { Sockets } from './sockets.js';

@Module({ imports: [graphqlModule(), AuthModule], controllers: [HealthController], providers: [Sockets] })
export class TransportModule {}
