import request from 'supertest';
import type { Http } from './accounts.js';
import type { Answer, Body, By, Refusal } from './play.js';

/** The verbs of vacations over both transports, with the same answers. */

export interface Vacation {
  readonly id: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly days: number;
  readonly status: string;
}

export interface Vacations {
  readonly vacations: readonly Vacation[];
  readonly years: readonly { readonly year: number; readonly used: number; readonly left: number }[];
  readonly current: Vacation | null;
}

export interface Away {
  plan(by: By, wish: Body, key?: string): Promise<Answer<Vacation>>;
  end(by: By, id: string, key?: string): Promise<Answer<Vacation>>;
  mine(by: By): Promise<Answer<Vacations>>;
}

export function restAway(http: Http): Away {
  const call = async <T>(by: By, sent: request.Test, key?: string): Promise<Answer<T>> => {
    if (by !== null) void sent.set('Authorization', by.authorization);
    if (key !== undefined) void sent.set('Idempotency-Key', key);
    const { status, body, text } = await sent;
    if (status < 400) return { data: body as T, text };
    return refused(body as Refusal, (body as { detail: string }).detail, text);
  };
  const path = '/v1/me/vacations';
  return {
    plan: (by, wish, key) => call(by, request(http).post(path).send(wish), key),
    end: (by, id, key) => call(by, request(http).post(`${path}/${id}/end`), key),
    mine: (by) => call(by, request(http).get(path)),
  };
}

const VACATION = '{ id startsAt endsAt days status }';

interface GraphqlAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Refusal }[];
}

export function graphqlAway(http: Http): Away {
  const call = async <T>(by: By, query: string, variables: Body = {}): Promise<Answer<T>> => {
    const sent = request(http).post('/graphql');
    if (by !== null) void sent.set('Authorization', by.authorization);
    const { body, text } = await sent.send({ query, variables });
    const { data, errors } = body as GraphqlAnswer;
    if (errors !== undefined) return refused(errors[0]!.extensions, errors[0]!.message, text);
    return { data: Object.values(data ?? {})[0] as T, text };
  };
  return {
    plan: (by, wish, key) =>
      call(
        by,
        `mutation ($startsAt: DateTime, $days: Int!, $key: String) {
          planVacation(startsAt: $startsAt, days: $days, idempotencyKey: $key) ${VACATION}
        }`,
        { ...wish, key },
      ),
    end: (by, id, key) =>
      call(
        by,
        `mutation ($id: ID!, $key: String) { endVacation(id: $id, idempotencyKey: $key) ${VACATION} }`,
        { id, key },
      ),
    mine: (by) =>
      call(by, `{ myVacations { vacations ${VACATION} years { year used left } current ${VACATION} } }`),
  };
}

function refused({ code, field }: Refusal, message: string, text: string): Answer<never> {
  const refusal = { code, ...(field === undefined ? {} : { field }) };
  return { data: undefined as never, refusal, message, text };
}
