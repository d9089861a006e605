import { Module } from '@nestjs/common';
import { Idempotency } from './idempotency.js';
import { IdempotencyStore } from './idempotency.store.js';

@Module({ providers: [Idempotency, IdempotencyStore], exports: [Idempotency] })
export class IdempotencyModule {}
