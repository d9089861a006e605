import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { masked, withoutSecrets } from './secret-names.js';

/** Nest logs much about its own start, which only helps when debugging Nest. */
const TALKATIVE = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'GraphQLModule',
]);

/** Lines are written together, once there are this many bytes of them or after this time. */
const BATCH_BYTES = 4096;
const BATCH_MS = 100;

/** Standard output, shared by all applications of the process. What waits at its end is written then. */
const output = pino.destination({
  dest: 1,
  sync: false,
  minLength: BATCH_BYTES,
  periodicFlush: BATCH_MS,
});

/** Resolves when all lines are written; for a process that is about to end. */
export const linesWritten = (): Promise<void> => new Promise((done) => output.flush(() => done()));

/** The fields of a line. An error is left to its serializer, which reads more than its own properties. */
const shownFields = ({ err, ...fields }: Record<string, unknown>): Record<string, unknown> => ({
  ...(masked(fields) as object),
  ...(err === undefined ? {} : { err }),
});

export function makeLogger(level: string, destination: DestinationStream = output): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: shownFields },
    serializers: { err: (error: Error) => masked(pino.stdSerializers.err(error)) },
  };
  return pino(options, destination);
}

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** What to log about a request; its line gets the id, by which the answer is found in the log. */
export class OfRequest {
  constructor(
    readonly requestId: string,
    readonly message: unknown,
  ) {}
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

  private write(level: Level, message: unknown, context?: string): void {
    if (message instanceof OfRequest)
      this.put(level, { context, requestId: message.requestId }, message.message);
    else this.put(level, { context }, message);
  }

  private put(level: Level, fields: object, message: unknown): void {
    const isError = message instanceof Error;
    const text = withoutSecrets(isError ? message.message : String(message));
    this.logger[level](isError ? { ...fields, err: message } : fields, text);
    // Somebody may be watching for it, and the process may not live long.
    if (level === 'error' || level === 'warn') this.logger.flush();
  }
}
