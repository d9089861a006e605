import { Suspense, useEffect, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import {
  graphql,
  RelayEnvironmentProvider,
  useLazyLoadQuery,
  useSubscription,
  usePaginationFragment,
} from 'react-relay';
import { commitMutation, Environment, Network, Observable, type GraphQLResponse } from 'relay-runtime';
import { getDataID } from '@halfmove/client/settings';
import type { relayChangedSubscription } from '../.cache/relay/relayChangedSubscription.graphql.js';
import type { relayGameQuery } from '../.cache/relay/relayGameQuery.graphql.js';
import type { relayMoves$key } from '../.cache/relay/relayMoves.graphql.js';
import { authorized } from '../.cache/session.js';
import { sockets } from '../.cache/sockets.js';
import { playsWith, type Shown } from './side.js';

/** Relay with React: a board, and the moves page by page. */

const GAME = graphql`
  query relayGameQuery($id: ID!) {
    game(id: $id) {
      plyCount
      turn
      board {
        check
      }
      ...relayMoves
    }
  }
`;
const MOVES = graphql`
  fragment relayMoves on Game
  @refetchable(queryName: "relayMovesQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 3 }, after: { type: "String" }) {
    moves(first: $first, after: $after) @connection(key: "relayMoves_moves") {
      edges {
        node {
          ply
          san
        }
      }
    }
  }
`;
const CHANGED = graphql`
  subscription relayChangedSubscription($id: ID!) {
    gameChanged(gameId: $id) {
      plyCount
      turn
      board {
        captured
      }
    }
  }
`;
const MOVE = graphql`
  mutation relayMoveMutation($input: MakeMoveInput!) {
    makeMove(input: $input) {
      game {
        plyCount
        turn
      }
    }
  }
`;

const environment = new Environment({
  getDataID: getDataID as (node: Readonly<Record<string, unknown>>) => string,
  network: Network.create(
    async ({ text }, variables) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ query: text, variables });
      const answer = await authorized(`${URL_OF_API}/graphql`, { method: 'POST', headers, body });
      return (await answer.json()) as GraphQLResponse;
    },
    ({ text }, variables) =>
      Observable.create((sink) => sockets.subscribe({ query: text!, variables }, sink as never)),
  ),
});

interface Watched {
  readonly id: string;
  readonly shown: (game: Shown) => void;
  readonly failed: (error: unknown) => void;
}

function Board({ id, shown, failed }: Watched) {
  const { game } = useLazyLoadQuery<relayGameQuery>(GAME, { id });
  useSubscription<relayChangedSubscription>(
    useMemo(() => ({ subscription: CHANGED, variables: { id }, onError: failed }), [id, failed]),
  );
  useEffect(() => shown(game!), [game, shown]);
  return <Moves game={game!} />;
}

/** Loads a page of moves after each ply that it lacks, and lets the page tell how many it has. */
function Moves({ game }: { readonly game: relayMoves$key & { readonly plyCount: number } }) {
  const { data, hasNext, isLoadingNext, loadNext, refetch } = usePaginationFragment(MOVES, game);
  const loaded = data.moves.edges.length;
  useEffect(() => {
    if (hasNext && !isLoadingNext) loadNext(3);
    else if (loaded < game.plyCount && !isLoadingNext) refetch({}, { fetchPolicy: 'network-only' });
  });
  Object.assign(globalThis, { movesLoaded: loaded });
  return null;
}

playsWith({
  watch(id, shown, failed) {
    createRoot(document.body).render(
      <RelayEnvironmentProvider environment={environment}>
        <Suspense fallback="">
          <Board id={id} shown={shown} failed={failed} />
        </Suspense>
      </RelayEnvironmentProvider>,
    );
  },
  play: (gameId, ply, move) =>
    new Promise((resolve, reject) => {
      commitMutation(environment, {
        mutation: MOVE,
        variables: { input: { gameId, ply, move } },
        onCompleted: (_, errors) => (errors?.length ? reject(new Error(errors[0]!.message)) : resolve()),
        onError: reject,
      });
    }),
});
