import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { requestId } from './request-context.js';

/** Nest logs much about its own start, which only helps when debugging Nest. */
const TALKATIVE = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'GraphQLModule',
]);

/** Names under which a secret might be logged by mistake. */
const SECRETS = [
  'authorization',
  'password',
  'accessToken',
  'refreshToken',
  'linkToken',
  'serverSeed',
  'clientSeed',
];

export function makeLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: SECRETS.flatMap((name) => [name, `*.${name}`]),
    mixin: () => {
      const id = requestId();
      return id === null ? {} : { requestId: id };
    },
  };
  return pino(options, destination);
}

/** Nest's logger over pino. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    const level = context !== undefined && TALKATIVE.has(context) ? 'debug' : 'info';
    this.write(level, message, context);
  }

  error(message: unknown, stackOrContext?: string, context?: string): void {
    const where = context ?? stackOrContext;
    // main.ts reports a failed start.
    const isStart = where === 'ExceptionHandler' || where === 'NestApplication';
    this.write(isStart ? 'debug' : 'error', message, where);
  }

  warn(message: unknown, context?: string): void {
    this.write('warn', message, context);
  }

  debug(message: unknown, context?: string): void {
    this.write('debug', message, context);
  }

  verbose(message: unknown, context?: string): void {
    this.write('trace', message, context);
  }

  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error',
    message: unknown,
    context?: string,
  ): void {
    if (message instanceof Error) this.logger[level]({ context, err: message });
    else this.logger[level]({ context }, String(message));
  }
}
