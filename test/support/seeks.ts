import type { INestApplicationContext } from '@nestjs/common';
import request from 'supertest';
import { PrismaService } from '../../src/platform/database/prisma.service.js';
import type { Http } from './accounts.js';
import { CHALLENGE, PAGE } from './documents.js';
import type { Answer, Body, By, Person, Refusal } from './play.js';
import type { Challenge, Edges, User } from './shown.js';

/** Seeks, the lobby, counter-offers and who may challenge, over both transports, with the same answers. */

export interface Profile extends User {
  readonly displayName: string;
  readonly challengesFrom: string;
  readonly challengesWithin: number | null;
}

export interface Seeks {
  createSeek(by: By, input: Body, key?: string): Promise<Answer<Challenge>>;
  /** `query` holds the filter beside first and after. */
  lobby(by: By, query?: Body): Promise<Answer<Edges<Challenge>>>;
  counterChallenge(by: By, id: string, terms: Body, key?: string): Promise<Answer<Challenge>>;
  updateProfile(by: By, input: Body): Promise<Answer<Profile>>;
  me(by: By): Promise<Answer<Profile>>;
  /** As anybody sees it. */
  profile(username: string): Promise<Answer<Profile>>;
}

export function restSeeks(http: Http): Seeks {
  const call = async <T>(by: By, sent: request.Test, key?: string): Promise<Answer<T>> => {
    if (by !== null) void sent.set('Authorization', by.authorization);
    if (key !== undefined) void sent.set('Idempotency-Key', key);
    const { status, body, text } = await sent;
    return status < 400 ? { data: body as T, text } : refused(body as Refusal & { detail: string }, text);
  };
  return {
    createSeek: (by, input, key) => call(by, request(http).post('/v1/seeks').send(input), key),
    lobby: (by, query = {}) => call(by, request(http).get('/v1/lobby').query(query)),
    counterChallenge: (by, id, terms, key) =>
      call(by, request(http).post(`/v1/challenges/${id}/counter`).send(terms), key),
    updateProfile: (by, input) => call(by, request(http).patch('/v1/me').send(input)),
    me: (by) => call(by, request(http).get('/v1/me')),
    profile: (username) => call(null, request(http).get(`/v1/users/${username}`)),
  };
}

const PROFILE = '{ id username displayName closed createdAt challengesFrom challengesWithin }';

export function graphqlSeeks(http: Http): Seeks {
  const call = async <T>(by: By, query: string, variables: Body = {}): Promise<Answer<T>> => {
    const sent = request(http).post('/graphql');
    if (by !== null) void sent.set('Authorization', by.authorization);
    const { body, text } = await sent.send({ query, variables });
    const { data, errors } = body as {
      data?: Record<string, unknown> | null;
      errors?: readonly { message: string; extensions: Refusal }[];
    };
    if (errors === undefined) return { data: Object.values(data ?? {})[0] as T, text };
    return refused({ ...errors[0]!.extensions, detail: errors[0]!.message }, text);
  };
  const keyed = (input: Body, key?: string) =>
    key === undefined ? input : { ...input, idempotencyKey: key };
  return {
    createSeek: (by, input, key) =>
      call(by, `mutation ($input: CreateSeekMutationInput!) { createSeek(input: $input) ${CHALLENGE} }`, {
        input: keyed(input, key),
      }),
    lobby: (by, { first = 20, after, ...filter } = {}) =>
      call(
        by,
        `query ($filter: LobbyFilter, $first: Int, $after: String) {
          lobby(filter: $filter, first: $first, after: $after) { edges { cursor node ${CHALLENGE} } ${PAGE} }
        }`,
        { filter, first, after },
      ),
    counterChallenge: (by, id, terms, key) =>
      call(by, `mutation ($input: CounterChallengeInput!) { counterChallenge(input: $input) ${CHALLENGE} }`, {
        input: keyed({ id, ...terms }, key),
      }),
    updateProfile: (by, input) =>
      call(by, `mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) ${PROFILE} }`, {
        input,
      }),
    me: (by) => call(by, `{ me ${PROFILE} }`),
    profile: (username) =>
      call(null, `query ($username: String!) { user(username: $username) ${PROFILE} }`, { username }),
  };
}

function refused({ code, field, detail }: Refusal & { detail: string }, text: string): Answer<never> {
  const refusal = field === undefined ? { code } : { code, field };
  return { data: undefined as never, refusal, message: detail, text };
}

/** The verbs of play and of seeks over one transport. */
export const SEEKS: Readonly<Record<string, (http: Http) => Seeks>> = {
  GraphQL: graphqlSeeks,
  REST: restSeeks,
};

/** Gives somebody a rating that is certain, past all games. */
export async function setRating(
  app: INestApplicationContext,
  { id: userId }: Person,
  rating: number,
  ruleset = 'chess',
): Promise<void> {
  const data = { rating, deviation: 60, volatility: 0.09, games: 1, wins: 1, draws: 0, losses: 0 };
  await app.get(PrismaService).db.rating.upsert({
    where: { userId_ruleset: { userId, ruleset } },
    create: { userId, ruleset, ...data, ratedAt: new Date() },
    update: { rating },
  });
}

/** Closes all that are open: those of the next test would be too many. */
export async function closeChallenges(app: INestApplicationContext): Promise<void> {
  const { challenge } = app.get(PrismaService).db;
  await challenge.updateMany({
    where: { status: 'open' },
    data: { status: 'cancelled', answeredAt: new Date() },
  });
}

let seconds = 60;

/** Terms that nobody else has asked for. */
export const ownTerms = (more: Body = {}): Body => ({
  ruleset: 'chess',
  timeControl: { type: 'perMove', seconds: (seconds += 1) },
  ...more,
});
