import {
  type DynamicModule,
  Global,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DatabaseModule } from '../../src/platform/database/database.module.js';
import { openDatabase } from '../../src/platform/database/database.js';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import { Health } from '../../src/platform/process/health.js';
import { freshPlace, SERVER } from '../support/databases.js';

// Both databases: what the module offers must be the same on both.

@Injectable()
class Feature implements OnModuleInit, OnApplicationShutdown {
  readonly counted: number[] = [];

  constructor(private readonly prisma: PrismaService) {}

  async onModuleInit(): Promise<void> {
    this.counted.push(await this.prisma.db.user.count());
  }

  async onApplicationShutdown(): Promise<void> {
    this.counted.push(await this.prisma.transaction((tx) => tx.user.count()));
  }
}

@Module({ providers: [Feature] })
class FeatureModule {}

@Global()
@Module({ providers: [Health], exports: [Health] })
class HealthModule {}

class Root {}

test('the module is available to features from their first hook to their last', async () => {
  const place = await freshPlace();
  const root: DynamicModule = {
    module: Root,
    imports: [HealthModule, FeatureModule, DatabaseModule.with(await openDatabase(place, () => undefined))],
  };
  const app = await NestFactory.createApplicationContext(root, { logger: false });
  const prisma = app.get(PrismaService);
  expect(prisma.kind).toBe(SERVER === undefined ? 'embedded' : 'server');
  expect(await prisma.ready()).toBe(true);
  const feature = app.get(Feature);
  await app.close();
  expect(feature.counted).toEqual([0, 0]);
  expect(await prisma.ready()).toBe(false);
  await place.remove();
});
