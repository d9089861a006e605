import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { IMPORTS_PATH } from '../features/imports/raw-texts.js';
import { badInput } from '../platform/errors/errors.js';
import { shown } from '../rules/shown.js';

/** Refuses query parameters at routes that take none; InputPipe checks those of all others. */
@Injectable()
export class UnknownQueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    if (context.getType<string>() !== 'http') return true;
    const { query, routeOptions, url } = context.switchToHttp().getRequest<FastifyRequest>();
    const [name] = Object.keys(query as object);
    // With a text as the body, the options of an import are in the query.
    if (name === undefined || !url.startsWith('/v1/') || routeOptions.url === IMPORTS_PATH) return true;
    if (takesQuery(context)) return true;
    throw badInput(name, `${shown(name)} is not a known query parameter: this route takes none.`);
  }
}

/** Whether a handler has a parameter with @Query(). */
function takesQuery(context: ExecutionContext): boolean {
  const taken = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) as
    Readonly<Record<string, unknown>> | undefined;
  return Object.keys(taken ?? {}).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
}
