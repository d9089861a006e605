import { play } from '../.cache/game.js';
import { sockets } from '../.cache/sockets.js';
import { playsWith, type Shown } from './side.js';

/** Plain fetch, and graphql-ws. */

const GAME_CHANGED = 'subscription ($id: ID!) { gameChanged(gameId: $id) { plyCount turn } }';

playsWith({
  watch(id, shown, failed) {
    const sink = {
      next: ({ data }: { readonly data?: { readonly gameChanged: Shown } | null }) =>
        shown(data!.gameChanged),
      error: failed,
      complete: () => failed(new Error('The subscription was completed.')),
    };
    sockets.subscribe<{ readonly gameChanged: Shown }>({ query: GAME_CHANGED, variables: { id } }, sink);
  },
  play: (id, ply, move) => play(id, ply, move),
});
