import { type DynamicModule, Global, Logger, Module } from '@nestjs/common';
import { type DatabaseConfig, openDatabase } from './database.js';
import { PrismaService } from './prisma.service.js';

@Global()
@Module({})
export class DatabaseModule {
  /** Opens and migrates the database before anything that needs it is made. */
  static forRoot(config: DatabaseConfig): DynamicModule {
    const log = new Logger('Database');
    const open = async () =>
      new PrismaService(
        await openDatabase(config, (error) => log.warn(`A connection was lost: ${error.message}`)),
      );
    return {
      module: DatabaseModule,
      providers: [{ provide: PrismaService, useFactory: open }],
      exports: [PrismaService],
    };
  }
}
