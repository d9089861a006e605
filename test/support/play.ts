import { randomUUID } from 'node:crypto';
import request from 'supertest';
import type { Player } from '../../src/rules/ruleset.js';
import { bearer, restAccounts, type Http } from './accounts.js';
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

export type Body = Readonly<Record<string, unknown>>;

export interface Play {
  createChallenge(by: By, input: Body, key?: string): Promise<Answer<Challenge>>;
  challenge(by: By, id: string, linkToken?: string): Promise<Answer<Challenge>>;
  challenges(by: By, page: Body): Promise<Answer<Edges<Challenge>>>;
  acceptChallenge(by: By, id: string, input?: Body): Promise<Answer<Game>>;
  declineChallenge(by: By, id: string): Promise<Answer<Challenge>>;
  cancelChallenge(by: By, id: string): Promise<Answer<Challenge>>;
  revealClientSeed(by: By, id: string, clientSeed: string): Promise<Answer<Game>>;
  game(by: By, id: string): Promise<Answer<Game>>;
  myGames(
    by: By,
    page?: Body,
  ): Promise<Answer<{ games: readonly Game[]; pageInfo: Edges<Game>['pageInfo'] }>>;
  makeMove(by: By, id: string, ply: unknown, move: unknown): Promise<Answer<Game>>;
  resign(by: By, id: string): Promise<Answer<Game>>;
  abort(by: By, id: string): Promise<Answer<Game>>;
  moves(by: By, id: string, page?: Body): Promise<Answer<Plies>>;
  legalMoves(by: By, id: string): Promise<Answer<readonly LegalMove[]>>;
  events(by: By, id: string): Promise<Answer<readonly Event[]>>;
}

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
    method: 'get' | 'post',
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
    declineChallenge: (by, id) => post(by, `challenges/${id}/decline`),
    cancelChallenge: (by, id) => post(by, `challenges/${id}/cancel`),
    revealClientSeed: (by, id, clientSeed) => post(by, `games/${id}/client-seed`, { clientSeed }),
    game: (by, id) => get(by, `games/${id}`),
    myGames: (by, page) => get(by, 'games', page),
    makeMove: (by, id, ply, move) => post(by, `games/${id}/moves`, { ply, move }),
    resign: (by, id) => post(by, `games/${id}/resign`),
    abort: (by, id) => post(by, `games/${id}/abort`),
    moves: (by, id, page) => get(by, `games/${id}/moves`, page),
    legalMoves: (by, id) => get(by, `games/${id}/legal-moves`),
    events: (by, id) => get(by, `games/${id}/events`),
  };
}

const USER = '{ id username displayName createdAt }';
const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const CLOCK = 'timeControl { type seconds }';

/** All that a REST document has. */
export const GAME = `{
  id ruleset options setup setupNumber ${CLOCK} status version plyCount turn position outcome { winner reason } turnStartedAt
  deadlineAt termsHash headHash commitment dealRoot clientSeeds { first second } clientSeedHash awaitingSeed creator
  createdAt lastActivityAt endedAt players { first ${USER} second ${USER} }
  observation { check captured faceDown { piece count } } serverSeed you
}`;

const CHALLENGE = `{
  id status creator ${USER} opponent ${USER} linkToken ruleset options ${CLOCK} side commitment clientSeedHash createdAt
  expiresAt answeredAt
}`;

const PLY = `{
  seq ply player move reveals captured san position timeUsed automatic playedAt previousHash hash proof { salt path }
}`;

const MOVES = `moves(first: $first, after: $after, last: $last, before: $before) {
  edges { cursor node ${PLY} } ${PAGE} totalCount
}`;

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
  const PAGING = ', $first: Int, $after: String, $last: Int, $before: String';
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
    declineChallenge: (by, id) => onChallenge(by, 'declineChallenge', id),
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
        `query ($list: GameList! = all, $first: Int = 20, $after: String) { myGames(list: $list, first: $first, after: $after) { edges { cursor node ${GAME} } ${PAGE} } }`,
        page,
        ({ edges, pageInfo }: Edges<Game>) => ({ games: edges.map(({ node }) => node), pageInfo }),
      ),
    makeMove: (by, id, ply, move) =>
      call(by, `mutation ($input: MakeMoveInput!) { makeMove(input: $input) ${GAME} }`, {
        input: { gameId: id, ply, move },
      }),
    resign: (by, id) => onGame(by, 'resign', id),
    abort: (by, id) => onGame(by, 'abort', id),
    moves: (by, id, page) => ofGame(by, id, MOVES, page, PAGING),
    legalMoves: (by, id) =>
      ofGame(by, id, 'legalMoves { move san notations losing warning { winner reason } }'),
    events: (by, id) => ofGame(by, id, 'events { seq type player data at }'),
  };
}

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
