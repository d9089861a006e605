import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { parse, validate } from 'graphql';
import { compileQuery } from 'graphql-jit';
import { SDL } from './common.mjs';
import type { Deps } from './nest-app.ts';

/** GraphQL on Node's own HTTP server: no framework, compiled queries. */

async function bodyOf(request: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

export async function serve(port: number, { authenticate, move }: Deps): Promise<void> {
  const schema = makeExecutableSchema({
    typeDefs: SDL,
    resolvers: {
      Query: { hello: () => 'world' },
      Mutation: { makeMove: (_parent: unknown, act: any) => move(act) },
    },
  });
  const compiled = new Map<string, any>();

  function compiledOf(query: string): any {
    const known = compiled.get(query);
    if (known) return known;
    const document = parse(query);
    if (validate(schema, document).length > 0) throw new Error('invalid');
    const fresh = compileQuery(schema, document, '', { customJSONSerializer: true });
    compiled.set(query, fresh);
    return fresh;
  }

  async function answerTo(request: IncomingMessage): Promise<string> {
    try {
      authenticate(request.headers.authorization);
      const { query, variables } = await bodyOf(request);
      const operation = compiledOf(query);
      const answer = await operation.query({}, {}, variables ?? {});
      return answer.errors ? JSON.stringify(answer) : operation.stringify(answer);
    } catch (error) {
      return JSON.stringify({ errors: [{ message: (error as Error).message }] });
    }
  }

  const server = createServer(async (request, response) => {
    const answer = await answerTo(request);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
}
