import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Database } from './database.js';
import { PrismaService } from './prisma.service.js';

/** An open database for all stores; closed with the application. */
@Global()
@Module({})
export class DatabaseModule {
  static with(database: Database): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [{ provide: PrismaService, useFactory: () => new PrismaService(database) }],
      exports: [PrismaService],
    };
  }
}
