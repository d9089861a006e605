import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../../config.js';
import { Health } from './health.js';
import { Time } from './time.js';

/** The injection token of the parsed configuration. */
export const CONFIG = Symbol('Config');

/** The configuration, the clock and the health, which everything may use. */
@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: CONFIG, useValue: config }, Time, Health],
      exports: [CONFIG, Time, Health],
    };
  }
}
