import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Health } from '../process/health.js';
import type { Database } from './database.js';
import { PrismaService } from './prisma.service.js';

/** Provides the open database to all stores; the application closes it. */
@Global()
@Module({})
export class DatabaseModule {
  static with(database: Database): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        {
          provide: PrismaService,
          inject: [Health],
          useFactory: (health: Health) => {
            health.watch(() => database.trouble());
            return new PrismaService(database);
          },
        },
      ],
      exports: [PrismaService],
    };
  }
}
