import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { IdempotencyModule } from '../../platform/idempotency/idempotency.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccessTokens } from './access-tokens.js';
import { ApplicationRequests } from './application-requests.js';
import { AccountLinks } from './account-links.js';
import { AccountLinksStore } from './account-links.store.js';
import { Attempts } from './attempts.js';
import { AuthController } from './auth.controller.js';
import { AuthResolver } from './auth.resolver.js';
import { AuthService } from './auth.service.js';
import { JwtStrategy } from './jwt.strategy.js';
import { KnownDevices } from './known-devices.js';
import { KnownDevicesStore } from './known-devices.store.js';
import { Passwords } from './passwords.js';
import { Sessions } from './sessions.js';
import { PersonalTokensStore } from './personal-tokens.store.js';
import { SessionsStore } from './sessions.store.js';
import { StreamTickets } from './stream-tickets.js';
import { StreamTicketsStore } from './stream-tickets.store.js';
import { PrincipalGuard } from './principal.guard.js';

/** Importing this module puts PrincipalGuard before every route and root field. */
@Module({
  imports: [DeliveryModule, UsersModule, IdempotencyModule],
  controllers: [AuthController],
  providers: [
    AuthService,
    AuthResolver,
    AccessTokens,
    ApplicationRequests,
    AccountLinks,
    AccountLinksStore,
    Attempts,
    JwtStrategy,
    KnownDevices,
    KnownDevicesStore,
    Passwords,
    Sessions,
    PersonalTokensStore,
    SessionsStore,
    StreamTickets,
    StreamTicketsStore,
    { provide: APP_GUARD, useClass: PrincipalGuard },
  ],
  exports: [ApplicationRequests, AccessTokens, AccountLinks, AuthService, Sessions],
})
export class AuthModule {}
