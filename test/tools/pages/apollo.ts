import { client } from '../.cache/apollo.js';
import { graphql } from '../.cache/codegen/gql.js';
import { playsWith } from './side.js';

/** Apollo Client with its cache, and the documents of GraphQL Code Generator. */

const GAME = graphql(`
  query Game($id: ID!) {
    game(id: $id) {
      id
      plyCount
      turn
      board {
        check
      }
      clocks {
        first {
          remaining
        }
      }
      viewer {
        seat
      }
    }
  }
`);
const CHANGED = graphql(`
  subscription GameChanged($id: ID!) {
    gameChanged(gameId: $id) {
      id
      plyCount
      turn
      board {
        captured
      }
      viewer {
        acts {
          act
        }
      }
    }
  }
`);
const MOVE = graphql(`
  mutation MakeMove($input: MakeMoveInput!) {
    makeMove(input: $input) {
      game {
        id
        plyCount
        turn
        clocks {
          first {
            remaining
          }
        }
      }
    }
  }
`);

playsWith({
  watch(id, shown, failed) {
    const variables = { id };
    // What the subscription and the moves bring reaches the board by the cache.
    client.subscribe({ query: CHANGED, variables }).subscribe({
      error: failed,
      next: ({ error }) => error && failed(error),
      complete: () => failed(new Error('The subscription was completed.')),
    });
    client.watchQuery({ query: GAME, variables }).subscribe({
      error: failed,
      next: ({ data, dataState }) => dataState === 'complete' && data.game && shown(data.game),
    });
  },
  async play(gameId, ply, move) {
    await client.mutate({ mutation: MOVE, variables: { input: { gameId, ply, move } } });
  },
});
