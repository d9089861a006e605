import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '../config.js';
import { Time } from './time.js';

/** The parsed configuration, a plain value without a class of its own. */
export const CONFIG = Symbol('Config');

/** What everything may ask for: the configuration and the time. */
@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: CONFIG, useValue: config }, Time],
      exports: [CONFIG, Time],
    };
  }
}
