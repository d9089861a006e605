import { randomUUID } from 'node:crypto';
import request from 'supertest';
import type { Player } from '../../src/rules/ruleset.js';
import { bearer, restAccounts, type Http } from './accounts.js';
import { CHALLENGE, GAME, MOVES, PAGE } from './documents.js';
import type { Challenge, Edges, Event, Game, LegalMove, Plies } from './shown.js';

/** The verbs of play over both transports, with the same answers: what was shown, or why it was refused. */

/** Somebody who acts; null is an anonymous one. */
export type By = Person | null;

export interface Person {
  readonly id: string;
  readonly username: string;
  readonly authorization: string;
  readonly refreshToken: string;
}

export interface Refusal {
  readonly code: string;
  readonly field?: string;
  readonly fault?: string;
}

export interface Answer<T> {
  /** Only where the answer is no refusal. */
  readonly data: T;
  readonly refusal?: Refusal;
  /** What the refusal says in words. */
  readonly message?: string;
  /** Everything that was sent, byte by byte. */
  readonly text: string;
}

export interface MyGames {
  readonly games: readonly Game[];
  readonly pageInfo: Edges<Game>['pageInfo'];
  readonly counts: { readonly toMove: number; readonly waiting: number; readonly offers: number };
}

export type Body = Readonly<Record<string, unknown>>;

export interface Play {
  createChallenge(by: By, input: Body, key?: string): Promise<Answer<Challenge>>;
  challenge(by: By, id: string, linkToken?: string): Promise<Answer<Challenge>>;
  challenges(by: By, page: Body): Promise<Answer<Edges<Challenge>>>;
  acceptChallenge(by: By, id: string, input?: Body): Promise<Answer<Game>>;
  declineChallenge(by: By, id: string, reason?: unknown): Promise<Answer<Challenge>>;
  cancelChallenge(by: By, id: string): Promise<Answer<Challenge>>;
  revealClientSeed(by: By, id: string, clientSeed: string): Promise<Answer<Game>>;
  game(by: By, id: string): Promise<Answer<Game>>;
  myGames(by: By, page?: Body): Promise<Answer<MyGames>>;
  makeMove(by: By, id: string, ply: unknown, move: unknown, more?: Body): Promise<Answer<Game>>;
  resign(by: By, id: string): Promise<Answer<Game>>;
  abort(by: By, id: string): Promise<Answer<Game>>;
  /** An act for which the game is all that has to be said, or the version too. */
  plain(by: By, act: PlainAct, id: string, version?: unknown): Promise<Answer<Game>>;
  claimDraw(by: By, id: string, claim: Body): Promise<Answer<Game>>;
  giveTime(by: By, id: string, ply: unknown, version?: unknown): Promise<Answer<Game>>;
  /** The conditional moves as they are stored; null clears them. */
  setConditionalMoves(by: By, id: string, tree: unknown): Promise<Answer<unknown>>;
  conditionalMoves(by: By, id: string): Promise<Answer<unknown>>;
  moves(by: By, id: string, page?: Body): Promise<Answer<Plies>>;
  legalMoves(by: By, id: string): Promise<Answer<readonly LegalMove[]>>;
  events(by: By, id: string): Promise<Answer<readonly Event[]>>;
  claimable(by: By, id: string): Promise<Answer<readonly string[]>>;
}

/** The acts without arguments, and where REST has them. */
export const PLAIN_ACTS = {
  resign: 'resign',
  abort: 'abort',
  offerDraw: 'draw-offer',
  acceptDraw: 'draw-offer/accept',
  declineDraw: 'draw-offer/decline',
  offerTakeback: 'takeback',
  acceptTakeback: 'takeback/accept',
  declineTakeback: 'takeback/decline',
  offerPause: 'pause',
  acceptPause: 'pause/accept',
  declinePause: 'pause/decline',
  unpause: 'unpause',
  claimAbandoned: 'abandoned',
} as const;
export type PlainAct = keyof typeof PLAIN_ACTS;

export async function register(http: Http, name: string): Promise<Person> {
  const username = `${name}-${randomUUID().slice(0, 8)}`;
  const { data } = await restAccounts(http).register({ username, password: 'correct horse battery' });
  const { refreshToken, user } = data;
  return { id: user.id, username, authorization: bearer(data), refreshToken };
}

/** The same person with a token that begins now, for tests in which much time goes by. */
export async function renewed(http: Http, person: Person): Promise<Person> {
  const { data } = await restAccounts(http).refresh(person.refreshToken);
  return { ...person, refreshToken: data.refreshToken, authorization: bearer(data) };
}

export const NO_CLOCK = { type: 'none' };

/** A chess game of Ann, who makes ply 1, and Ben; `terms` say what is different. */
export async function begin(
  play: Play,
  ann: Person,
  ben: Person,
  terms: Body = {},
  accept: Body = {},
): Promise<Game> {
  const input = { ruleset: 'chess', timeControl: NO_CLOCK, side: 'first', opponent: ben.username, ...terms };
  const challenge = await play.createChallenge(ann, input);
  const answer = await play.acceptChallenge(ben, challenge.data?.id ?? challenge.text, accept);
  if (answer.refusal) throw new Error(answer.text);
  return answer.data;
}

/** Plays moves one after the other, each by whose turn it is; the game after the last one. */
export async function playMoves(
  play: Play,
  game: Game,
  moves: readonly string[],
  players: Record<Player, Person>,
): Promise<Game> {
  let at = game;
  for (const move of moves) {
    const answer = await play.makeMove(players[at.turn!], at.id, at.plyCount + 1, move);
    if (answer.refusal) throw new Error(`${move}: ${answer.text}`);
    at = answer.data;
  }
  return at;
}

interface Call {
  readonly body?: Body | undefined;
  readonly query?: Body | undefined;
  readonly key?: string | undefined;
}

export function restPlay(http: Http): Play {
  const call = async <T>(
    by: By,
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    { body, query, key }: Call = {},
  ): Promise<Answer<T>> => {
    const sent = request(http)[method](`/v1/${path}`);
    if (by !== null) void sent.set('Authorization', by.authorization);
    if (key !== undefined) void sent.set('Idempotency-Key', key);
    if (query !== undefined) void sent.query(query);
    const { status, body: answer, text } = await sent.send(body);
    if (status < 400) return { data: answer as T, text };
    return refused(answer as Refusal, (answer as { detail: string }).detail, text);
  };
  const get = <T>(by: By, path: string, query?: Body) => call<T>(by, 'get', path, { query });
  const post = <T>(by: By, path: string, body?: Body, key?: string) =>
    call<T>(by, 'post', path, { body, key });
  return {
    createChallenge: (by, input, key) => post(by, 'challenges', input, key),
    challenge: (by, id, linkToken) =>
      get(by, `challenges/${id}`, linkToken === undefined ? undefined : { linkToken }),
    challenges: (by, page) => get(by, 'challenges', page),
    acceptChallenge: (by, id, input = {}) => post(by, `challenges/${id}/accept`, input),
    declineChallenge: (by, id, reason) =>
      post(by, `challenges/${id}/decline`, reason === undefined ? undefined : { reason }),
    cancelChallenge: (by, id) => post(by, `challenges/${id}/cancel`),
    revealClientSeed: (by, id, clientSeed) => post(by, `games/${id}/client-seed`, { clientSeed }),
    game: (by, id) => get(by, `games/${id}`),
    myGames: (by, page) => get(by, 'games', { list: 'all', ...page }),
    makeMove: (by, id, ply, move, more = {}) => post(by, `games/${id}/moves`, { ply, move, ...more }),
    plain: (by, act, id, version) => post(by, `games/${id}/${PLAIN_ACTS[act]}`, { version }),
    claimDraw: (by, id, claim) => post(by, `games/${id}/claim`, claim),
    giveTime: (by, id, ply, version) => post(by, `games/${id}/time`, { ply, version }),
    setConditionalMoves: async (by, id, tree) =>
      treeOf(
        tree === null
          ? await call(by, 'delete', `games/${id}/conditional-moves`)
          : await call(by, 'put', `games/${id}/conditional-moves`, { body: { tree } }),
      ),
    conditionalMoves: async (by, id) => treeOf(await get(by, `games/${id}/conditional-moves`)),
    resign: (by, id) => post(by, `games/${id}/resign`),
    abort: (by, id) => post(by, `games/${id}/abort`),
    moves: (by, id, page) => get(by, `games/${id}/moves`, page),
    legalMoves: (by, id) => get(by, `games/${id}/legal-moves`),
    events: (by, id) => get(by, `games/${id}/events`),
    claimable: (by, id) => get(by, `games/${id}/claimable`),
  };
}

const treeOf = ({ data, ...answer }: Answer<{ readonly tree: unknown }>): Answer<unknown> => ({
  ...answer,
  data: data?.tree,
});

interface GraphqlAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Refusal }[];
}

export function graphqlPlay(http: Http): Play {
  const call = async <T>(
    by: By,
    query: string,
    variables: Body,
    read = (answer: never): unknown => answer,
  ): Promise<Answer<T>> => {
    const sent = request(http).post('/graphql');
    if (by !== null) void sent.set('Authorization', by.authorization);
    const { body, text } = await sent.send({ query, variables });
    const { data, errors } = body as GraphqlAnswer;
    if (errors !== undefined) return refused(errors[0]!.extensions, errors[0]!.message, text);
    return { data: read(Object.values(data ?? {})[0] as never) as T, text };
  };
  const ofGame = <T>(by: By, id: string, field: string, variables: Body = {}, declared = '') =>
    call<T>(
      by,
      `query ($id: ID!${declared}) { game(id: $id) { ${field} } }`,
      { id, ...variables },
      (game) => Object.values(game)[0],
    );
  const onChallenge = <T>(by: By, verb: string, id: string) =>
    call<T>(by, `mutation ($id: ID!) { ${verb}(id: $id) ${CHALLENGE} }`, { id });
  const onGame = (by: By, verb: string, id: string) =>
    call<Game>(by, `mutation ($id: ID!) { ${verb}(gameId: $id) ${GAME} }`, { id });
  const PAGING = ', $first: Int, $after: String, $last: Int, $before: String, $takenBack: Boolean = false';
  return {
    createChallenge: (by, input, key) =>
      call(
        by,
        `mutation ($input: CreateChallengeMutationInput!) { createChallenge(input: $input) ${CHALLENGE} }`,
        {
          input: key === undefined ? input : { ...input, idempotencyKey: key },
        },
      ),
    challenge: (by, id, linkToken) =>
      call(
        by,
        `query ($id: ID!, $linkToken: String) { challenge(id: $id, linkToken: $linkToken) ${CHALLENGE} }`,
        { id, linkToken },
      ),
    challenges: (by, page) =>
      call(
        by,
        `query ($box: ChallengeBox!, $first: Int, $after: String) { challenges(box: $box, first: $first, after: $after) { edges { cursor node ${CHALLENGE} } ${PAGE} } }`,
        page,
      ),
    acceptChallenge: (by, id, input = {}) =>
      call(by, `mutation ($input: AcceptChallengeInput!) { acceptChallenge(input: $input) ${GAME} }`, {
        input: { id, ...input },
      }),
    declineChallenge: (by, id, reason) =>
      call(
        by,
        `mutation ($id: ID!, $reason: DeclineReason) { declineChallenge(id: $id, reason: $reason) ${CHALLENGE} }`,
        { id, reason },
      ),
    cancelChallenge: (by, id) => onChallenge(by, 'cancelChallenge', id),
    revealClientSeed: (by, id, clientSeed) =>
      call(
        by,
        `mutation ($id: ID!, $clientSeed: String!) { revealClientSeed(gameId: $id, clientSeed: $clientSeed) ${GAME} }`,
        { id, clientSeed },
      ),
    game: (by, id) => call(by, `query ($id: ID!) { game(id: $id) ${GAME} }`, { id }),
    myGames: (by, page = {}) =>
      call(
        by,
        `query ($list: GameList! = all, $first: Int = 20, $after: String) { myGames(list: $list, first: $first, after: $after) { edges { cursor node ${GAME} } ${PAGE} counts { toMove waiting offers } } }`,
        page,
        ({ edges, ...more }: Edges<Game>) => ({ games: edges.map(({ node }) => node), ...more }),
      ),
    makeMove: (by, id, ply, move, more = {}) =>
      call(by, `mutation ($input: MakeMoveInput!) { makeMove(input: $input) ${GAME} }`, {
        input: { gameId: id, ply, move, ...more },
      }),
    plain: (by, act, id, version) =>
      call(by, `mutation ($id: ID!, $version: Int) { ${act}(gameId: $id, version: $version) ${GAME} }`, {
        id,
        version,
      }),
    claimDraw: (by, id, claim) =>
      call(by, `mutation ($input: ClaimDrawInput!) { claimDraw(input: $input) ${GAME} }`, {
        input: { gameId: id, ...claim },
      }),
    giveTime: (by, id, ply, version) =>
      call(
        by,
        `mutation ($id: ID!, $ply: Int!, $version: Int) { giveTime(gameId: $id, ply: $ply, version: $version) ${GAME} }`,
        { id, ply, version },
      ),
    setConditionalMoves: (by, id, tree) =>
      tree === null
        ? call(
            by,
            'mutation ($id: ID!) { clearConditionalMoves(gameId: $id) { conditionalMoves } }',
            { id },
            planIn,
          )
        : call(
            by,
            'mutation ($input: SetConditionalMovesInput!) { setConditionalMoves(input: $input) { conditionalMoves } }',
            { input: { gameId: id, tree } },
            planIn,
          ),
    conditionalMoves: (by, id) => ofGame(by, id, 'conditionalMoves'),
    resign: (by, id) => onGame(by, 'resign', id),
    abort: (by, id) => onGame(by, 'abort', id),
    moves: (by, id, page) => ofGame(by, id, MOVES, page, PAGING),
    legalMoves: (by, id) =>
      ofGame(by, id, 'legalMoves { move san notations losing warning { winner reason } }'),
    events: (by, id) => ofGame(by, id, 'events { seq type player data at }'),
    claimable: (by, id) => ofGame(by, id, 'claimable'),
  };
}

const planIn = ({ conditionalMoves }: { readonly conditionalMoves: unknown }): unknown => conditionalMoves;

function refused({ code, field, fault }: Refusal, message: string, text: string): Answer<never> {
  const refusal = {
    code,
    ...(field === undefined ? {} : { field }),
    ...(fault === undefined ? {} : { fault }),
  };
  return { data: undefined as never, refusal, message, text };
}

export const TRANSPORTS: readonly (readonly [string, (http: Http) => Play])[] = [
  ['GraphQL', graphqlPlay],
  ['REST', restPlay],
];
