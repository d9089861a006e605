import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { TokensController } from './tokens.controller.js';
import { TokensResolver } from './tokens.resolver.js';
import { TokensService } from './tokens.service.js';

@Module({
  imports: [AuthModule, DeliveryModule],
  controllers: [TokensController],
  providers: [TokensResolver, TokensService],
})
export class TokensModule {}
