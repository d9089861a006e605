import { Module } from '@nestjs/common';
import { Mailer } from './mailer.js';
import { Outbox } from './outbox.js';
import { OutboxStore } from './outbox.store.js';

/** What reaches people who are not connected. */
@Module({
  providers: [Mailer, Outbox, OutboxStore],
  exports: [Mailer, Outbox],
})
export class DeliveryModule {}
