import { Inject, Injectable, Module, ValidationPipe } from '@nestjs/common';
import { APP_GUARD, APP_PIPE, NestFactory } from '@nestjs/core';
import {
  Args,
  ArgsType,
  Field,
  GqlExecutionContext,
  GraphQLModule,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '@nestjs/graphql';
import { IsBoolean, IsInt, IsOptional, IsString, Length, Min } from 'class-validator';
import type { Move } from './storage.ts';

/** The mutation as a Nest application, on Express, Fastify or Mercurius. */

export type Deps = { authenticate: (header: string | undefined) => unknown; move: Move };

@ObjectType('Move')
class MoveDto {
  @Field(() => ID) id!: string;
  @Field(() => String) variant!: string;
  @Field(() => String) status!: string;
  @Field(() => String) fen!: string;
  @Field(() => Int) ply!: number;
  @Field(() => String) turn!: string;
  @Field(() => ID) whiteId!: string;
  @Field(() => ID) blackId!: string;
  @Field(() => String) lastMove!: string;
  @Field(() => Int) legalMoveCount!: number;
  @Field(() => Boolean) check!: boolean;
  @Field(() => String, { nullable: true }) result?: string;
  @Field(() => Boolean) rated!: boolean;
  @Field(() => String) deadline!: string;
  @Field(() => Int) version!: number;
}

@ArgsType()
class MoveArgs {
  @Field(() => ID) @IsString() @Length(1, 20) gameId!: string;
  @Field(() => String) @IsString() @Length(4, 7) uci!: string;
  @Field(() => Int) @IsInt() @Min(0) ply!: number;
  @Field(() => String) @IsString() clientId!: string;
  @Field(() => Boolean, { nullable: true }) @IsOptional() @IsBoolean() offerDraw?: boolean;
  @Field(() => String, { nullable: true }) @IsOptional() @IsString() @Length(0, 200) note?: string;
}

/** Apollo with compiled queries. */
async function compiledQueries(): Promise<object> {
  const { compileQuery } = await import('graphql-jit');
  const compiled = new Map<string, any>();
  const compiledOf = ({ queryHash, operationName, schema, document }: any) => {
    const key = queryHash + (operationName ?? '');
    if (!compiled.has(key)) compiled.set(key, compileQuery(schema, document, operationName ?? ''));
    return compiled.get(key);
  };
  const responseForOperation = async (request: any) => {
    const { contextValue, response } = request;
    const singleResult = await compiledOf(request).query({}, contextValue, request.request.variables ?? {});
    return { http: response.http, body: { kind: 'single' as const, singleResult } };
  };
  return { requestDidStart: async () => ({ responseForOperation }) };
}

type Traits = { mercurius: boolean; fastify: boolean; compiled: boolean; lean: boolean };

/** How the guard gets the request. Without a guard, the resolver authenticates the request. */
function contextOf({ mercurius, fastify, lean }: Traits, authenticate: Deps['authenticate']): object {
  const requestOf = (given: any) => (mercurius ? given : (given.req ?? given));
  const leanContext = (given: any) => {
    const req = requestOf(given);
    return { req, user: authenticate(req.headers.authorization) };
  };
  if (lean) return { context: leanContext };
  return mercurius || fastify ? { context: (req: any) => ({ req }) } : {};
}

async function graphqlOptions(traits: Traits, authenticate: Deps['authenticate']): Promise<any> {
  const { mercurius, compiled } = traits;
  return {
    driver: mercurius
      ? (await import('@nestjs/mercurius')).MercuriusDriver
      : (await import('@nestjs/apollo')).ApolloDriver,
    autoSchemaFile: true,
    path: '/graphql',
    playground: false,
    graphiql: false,
    introspection: false,
    ...contextOf(traits, authenticate),
    ...(compiled ? (mercurius ? { jit: 1 } : { plugins: [await compiledQueries()] }) : {}),
  };
}

function resolverOf(move: Move) {
  @Injectable()
  class MoveService {
    make(act: MoveArgs) {
      return move(act);
    }
  }

  @Resolver()
  class MoveResolver {
    constructor(@Inject(MoveService) private readonly service: MoveService) {}

    @Query(() => String)
    hello() {
      return 'world';
    }

    @Mutation(() => MoveDto)
    makeMove(@Args({ type: () => MoveArgs }) act: MoveArgs) {
      return this.service.make(act);
    }
  }
  // tsx emits no parameter types, and without them nothing would be validated.
  Reflect.defineMetadata('design:paramtypes', [MoveArgs], MoveResolver.prototype, 'makeMove');
  return [MoveService, MoveResolver];
}

function guardOf(authenticate: Deps['authenticate']) {
  return class {
    canActivate(execution: any) {
      const context = GqlExecutionContext.create(execution).getContext();
      const request = context.req ?? context.reply?.request;
      request.user = authenticate(request.headers.authorization);
      return true;
    }
  };
}

const adapterOf = async ({ fastify }: Traits): Promise<any> =>
  fastify
    ? new (await import('@nestjs/platform-fastify')).FastifyAdapter()
    : new (await import('@nestjs/platform-express')).ExpressAdapter();

export async function serve(kind: string, port: number, { authenticate, move }: Deps): Promise<void> {
  const traits = {
    mercurius: kind.includes('mercurius'),
    fastify: !kind.includes('express'),
    compiled: kind.includes('jit'),
    lean: kind.includes('lean'),
  };
  const guarded = [
    { provide: APP_GUARD, useClass: guardOf(authenticate) },
    { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true }) },
  ];

  @Module({
    imports: [GraphQLModule.forRoot(await graphqlOptions(traits, authenticate))],
    providers: [...resolverOf(move), ...(traits.lean ? [] : guarded)],
  })
  class App {}

  const options = { logger: process.env.DEBUG ? undefined : false, abortOnError: false } as const;
  const app = await NestFactory.create(App, await adapterOf(traits), options as any);
  await app.listen(port, '127.0.0.1');
}
