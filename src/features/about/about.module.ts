import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { AboutController } from './about.controller.js';
import { AboutResolver } from './about.resolver.js';
import { AboutService } from './about.service.js';

@Module({
  imports: [DeliveryModule],
  controllers: [AboutController],
  providers: [AboutResolver, AboutService],
})
export class AboutModule {}
