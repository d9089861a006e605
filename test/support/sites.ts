import { randomUUID } from 'node:crypto';
import type { Api } from './api.js';
import type { Game } from './api-types.js';
import { type Person, register } from './people.js';
import { playMoves } from './play.js';
import { type Answer, type Body, type Http, must } from './transport.js';

/** Applications, their players, and games of these. */

export type Bearer = { readonly authorization: string };

/** A registered application with a token. */
export interface Site {
  readonly id: string;
  readonly secret: string;
  readonly owner: Person;
  readonly by: Bearer;
}

export interface Pair {
  readonly players: Readonly<Record<'first' | 'second', Bearer>>;
  readonly game: Game;
}

export const SITE = { name: 'Springfield', url: 'https://chess.example.org' };
export const FOOLS_MATE = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];

export const withToken = ({ token }: { readonly token: string }): Bearer => ({
  authorization: `Bearer ${token}`,
});

export const codesOf = (answers: readonly Answer<unknown>[]) => answers.map(({ refusal }) => refusal?.code);

export async function newSite(api: Api, http: Http): Promise<Site> {
  const owner = await register(http, 'owner');
  const { application, secret } = must(await api.createApplication(owner, SITE));
  const by = withToken(must(await api.createApplicationToken(null, application.id, secret)));
  return { id: application.id, secret, owner, by };
}

/** A game as an application asks for it; its players by their external ids. */
export const newGame = (externalId: string, first: string, second: string, more: Body = {}): Body => ({
  ...{ externalId, ruleset: 'chess', timeControl: { none: {} } },
  ...{ first: { externalId: first }, second: { externalId: second }, ...more },
});

/** A game of the players `ann`, who has the first seat, and `ben` of a site. */
export async function pairOf(api: Api, { by }: Site, more: Body = {}): Promise<Pair> {
  const named = ['ann', 'ben'].map((externalId) => ({ externalId, displayName: `Member ${externalId}` }));
  must(await api.savePlayers(by, named));
  const tokenOf = async (externalId: string) => withToken(must(await api.createPlayerToken(by, externalId)));
  const players = { first: await tokenOf('ann'), second: await tokenOf('ben') };
  const [made] = must(await api.createGames(by, [newGame(randomUUID(), 'ann', 'ben', more)]));
  return { players, game: made!.game };
}

export const playAs = (api: Api, { game, players }: Pair, moves: readonly string[]): Promise<Game> =>
  playMoves(api, game, moves, players as Record<'first' | 'second', Person>);
