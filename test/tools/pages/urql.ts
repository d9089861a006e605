import { client } from '../.cache/urql.js';
import { graphql } from './tada.js';
import { playsWith } from './side.js';

/** urql with its normalised cache, and the documents of gql.tada. */

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
      }
    }
  }
`);

playsWith({
  watch(id, shown, failed) {
    const variables = { id };
    client.subscription(CHANGED, variables).subscribe(({ error }) => error && failed(error));
    client.query(GAME, variables).subscribe(({ data, error }) => {
      if (error) failed(error);
      if (data?.game) shown(data.game);
    });
  },
  async play(gameId, ply, move) {
    const { error } = await client.mutation(MOVE, { input: { gameId, ply, move } }).toPromise();
    if (error) throw error;
  },
});
