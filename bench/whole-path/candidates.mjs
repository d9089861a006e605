import { boardgameMatch, startBoardgame } from './boardgame.mjs';
import { commitMatch, startCommits } from './commits.mjs';
import { arePeersInstalled } from './peers.mjs';
import {
  livezMatch,
  playingMatch,
  registerClients,
  startEmbedded,
  startOnPostgres,
  typenameMatch,
} from './product.mjs';
import { prototypeMatch, startPrototype } from './prototypes.mjs';
import { PROTOTYPES, WANTED } from './settings.mjs';

/** The candidates: a name, a server, and what a client of it does. */

export const BOARDGAME = /^boardgame\.io/;
export const DO_NOTHING = /^do-nothing/;
export const BATCH = /prisma-batch/;
export const TYPENAME = /__typename/;
export const ON_POSTGRES = /^product on PostgreSQL/;
export const EMBEDDED = /^product, embedded/;
export const COMMIT = /^PostgreSQL alone/;
/** The candidates that are also measured with a single client. */
export const ALONE = /^product|^boardgame|^do-nothing|prisma-batch/;

const PRODUCT = /^product/;

/** Starts a server on first use; candidates may share one. */
function once(start) {
  let server;
  return () => (server ??= start());
}

function peers() {
  const prototypes = PROTOTYPES.map((kind) => ({
    name: `${kind.endsWith('none/none') ? 'do-nothing' : 'prototype'} ${kind}`,
    start: () => startPrototype(kind),
    match: prototypeMatch,
  }));
  return [{ name: 'boardgame.io + PostgreSQL', start: startBoardgame, match: boardgameMatch }, ...prototypes];
}

function products(beside) {
  const onPostgres = once(startOnPostgres);
  return [
    { name: 'product on PostgreSQL', start: onPostgres, match: playingMatch },
    { name: 'product, embedded database', start: once(startEmbedded), match: playingMatch },
    { name: 'product, {__typename}', start: onPostgres, match: typenameMatch },
    // The cost that remains when the server does nothing, for comparison.
    ...(beside ? [] : [{ name: 'product, GET /livez', start: onPostgres, match: livezMatch }]),
  ];
}

/** Measured with a single client only. */
export const commits = async () => ({
  name: 'PostgreSQL alone, one row updated and committed',
  server: await startCommits(),
  match: commitMatch,
  mostMoves: new Map(),
});

/** The selected candidates, with their servers started and all clients registered. */
export async function startCandidates(clients) {
  const beside = arePeersInstalled();
  if (!beside) {
    console.log(
      'The peers of this checkout are not installed. Install them with: npm run bench -- whole-path --install',
    );
  }
  const wanted = [...(beside ? peers() : []), ...products(beside)].filter(({ name }) => WANTED.test(name));
  const started = [];
  for (const { name, start, match } of wanted) {
    const server = await start();
    if (PRODUCT.test(name)) await registerClients(server, clients);
    started.push({ name, server, match, mostMoves: new Map() });
  }
  return started;
}
