import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../config.js';
import { Health } from './health.js';
import { Time } from './time.js';

/** The parsed configuration, a plain value without a class of its own. */
export const CONFIG = Symbol('Config');

/** What everything may ask for: the configuration, the time, and the place to say what is wrong. */
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
