import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import type { Database } from './platform/database/database.js';
import { makeLogger, NestLogger } from './platform/process/logging.js';
import { answerProblem } from './platform/http/problem.filter.js';
import { Adapter } from './transport/adapter.js';
import { answerBroken } from './transport/broken-requests.js';
import { compressAnswers } from './transport/compression.js';
import { configureHttp } from './transport/http.js';
import { mountAssets } from './pages/assets.js';

/** The application on an open database, which it will close; ready to listen. */
export async function createApp(config: Config, database: Database): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(config, database),
    adapterOf(config),
    // Fastify parses JSON; forms are not accepted.
    { logger: new NestLogger(makeLogger(config.logLevel)), abortOnError: false, bodyParser: false },
  );
  await compressAnswers(app);
  configureHttp(app, config);
  await mountAssets(app);
  return app;
}

/** Allows a slow start on a busy machine; the default is ten seconds. */
const PLUGINS_MS = 60_000;

/** The time for the headers of a request; Node's default. */
const HEADERS_MS = 60_000;

/** How often Node checks for requests that take too long to arrive. */
const CHECKED_EVERY_MS = 1_000;

const adapterOf = (config: Config): Adapter =>
  new Adapter({
    bodyLimit: config.maxRequestKb * 1024,
    // The client's address precedes those added by trusted proxies.
    trustProxy: (_address: string, hop: number) => hop < config.trustProxy,
    routerOptions: { ignoreTrailingSlash: true },
    genReqId: () => randomUUID(),
    pluginTimeout: PLUGINS_MS,
    // The time for a whole request to arrive; later it is answered with 408.
    requestTimeout: config.requestSeconds * 1000,
    http: {
      connectionsCheckingInterval: CHECKED_EVERY_MS,
      headersTimeout: Math.min(HEADERS_MS, config.requestSeconds * 1000),
    },
    clientErrorHandler: answerBroken(config),
    // Answers malformed addresses, whose requests pass no hook.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('x-request-id', request.id);
      answerProblem(reply, error);
    },
  });
