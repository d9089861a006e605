import { randomUUID } from 'node:crypto';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import type { Database } from './platform/database/database.js';
import { makeLogger, NestLogger } from './platform/logging.js';
import { answerProblem } from './platform/problem.filter.js';
import { withRequestId } from './platform/request-context.js';
import { answerBroken } from './transport/broken-requests.js';
import { compressAnswers } from './transport/compression.js';
import { dressHttp } from './transport/http.js';
import { mountContracts } from './pages/contracts.js';
import { mountDocs } from './pages/openapi.js';

/** The whole application on an open database, which it closes; ready to listen. */
export async function createApp(config: Config, database: Database): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(config, database),
    adapterOf(config),
    // Fastify itself reads JSON; forms are not read.
    { logger: new NestLogger(makeLogger(config.logLevel)), abortOnError: false, bodyParser: false },
  );
  await compressAnswers(app);
  dressHttp(app, config);
  mountDocs(app);
  mountContracts(app);
  return app;
}

/** For a start on a busy machine: plugins are given ten seconds by default. */
const PLUGINS_MS = 60_000;

/** For the head of a request, of which it is Node's own default. */
const HEADERS_MS = 60_000;

/** How often Node looks for requests that take too long to arrive. */
const CHECKED_EVERY_MS = 1_000;

const adapterOf = (config: Config): FastifyAdapter =>
  new FastifyAdapter({
    bodyLimit: config.maxRequestKb * 1024,
    // The client's address stands before those that the trusted proxies have added.
    trustProxy: (_address: string, hop: number) => hop < config.trustProxy,
    genReqId: () => randomUUID(),
    pluginTimeout: PLUGINS_MS,
    // For the whole of a request to arrive, after which it is answered with 408.
    requestTimeout: config.requestSeconds * 1000,
    http: {
      connectionsCheckingInterval: CHECKED_EVERY_MS,
      headersTimeout: Math.min(HEADERS_MS, config.requestSeconds * 1000),
    },
    clientErrorHandler: answerBroken(config),
    // Addresses that no route can even look at; such a request passes no hook.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('x-request-id', request.id);
      withRequestId(request.id, () => answerProblem(reply, error));
    },
  });
