import { createClient, EventStream, hasCode, operations } from '@halfmove/client';
import { createApplicationClient } from '@halfmove/client/server';

/** What the types of the client refuse: each line after a comment is an error. It is never run. */

const halfmove = createClient({ url: 'https://play.example.org' });

export async function misuses(error: unknown): Promise<void> {
  // @ts-expect-error: only a client opens a stream
  new EventStream();
  // @ts-expect-error: a client has a server
  createClient({});
  // @ts-expect-error: an application has a secret
  createApplicationClient({ url: 'https://play.example.org', id: '1' });
  // @ts-expect-error: the game needs its id
  await halfmove.graphql(operations.game);
  // @ts-expect-error: the id has another name
  await halfmove.graphql(operations.game, { gameId: '1' });
  // @ts-expect-error: a ply is a number
  await halfmove.graphql(operations.makeMove, { input: { gameId: '1', ply: 'one', move: 'e4' } });
  // @ts-expect-error: one of the two, not both
  await halfmove.graphql(operations.createChallenge, { input: { ruleset: 'chess', opponent: { link: true, username: 'b' }, timeControl: { none: {} } } }); // prettier-ignore
  const { game } = await halfmove.graphql(operations.game, { id: '1' });
  // @ts-expect-error: there may be no such game
  console.log(game.position);
  // @ts-expect-error: the operation does not ask for it
  console.log(game?.createdAt);
  // @ts-expect-error: no such route
  await halfmove.rest.GET('/v1/gamez');
  // @ts-expect-error: the route needs an id
  await halfmove.rest.GET('/v1/games/{id}');
  // @ts-expect-error: it is a number
  await halfmove.rest.POST('/v1/games/{id}/moves', { params: { path: { id: '1' } }, body: { ply: '1', move: 'e4' } }); // prettier-ignore
  // @ts-expect-error: no such code
  console.log(hasCode(error, 'NO_SUCH_CODE'));
  // @ts-expect-error: no such event
  for await (const { type } of halfmove.events()) if (type === 'moved') break;
}
