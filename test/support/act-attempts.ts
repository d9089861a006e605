import { capitalized } from '../../src/rules/capitalized.js';
import { isMove, rule, type Act } from '../../src/arbiter/acts/act.js';
import { ACTS } from '../../src/arbiter/acts/registry.js';
import { EngineService } from '../../src/engine/engine.service.js';
import { FactFinder } from '../../src/features/games/facts.js';
import { situationOf, stateOf, type GameRow } from '../../src/features/games/game.row.js';
import { rulesetById } from '../../src/rules/registry.js';
import { PLAYERS, type Claim, type Player } from '../../src/rules/ruleset.js';
import { demandNamedInGraphql, demandNamedInRest } from './named-codes.js';
import type { Person } from './people.js';
import type { AllowedAct } from './api-types.js';
import type { Random } from './random-games.js';
import type { TestServer } from './server.js';
import { type Body, type Http, send } from './transport.js';
import { toGraphqlSpelling } from './enum-spelling.js';

/** One act tried by one player with one input, and the result that the arbiter and the rules predict. */
export interface Attempt {
  readonly act: Act;
  readonly player: Player;
  readonly input: Body;
  /** The code of its refusal, `done` if it changes the game, or `same` if it was already done. */
  readonly expected: string;
}

/** Acts accepted and refused, by rule set and act. */
export type Counts = Map<string, { accepted: number; refused: number }>;

/** The answer of the server to an attempt. */
export interface Answered {
  readonly code: string | null;
  readonly version: number | null;
  readonly text: string;
}

/** Sends an act over its route or mutation, using only the registry. */
export async function sendAct(
  http: Http,
  over: 'REST' | 'GraphQL',
  by: Person,
  gameId: string,
  { act, input }: Pick<Attempt, 'act' | 'input'>,
): Promise<Answered> {
  return over === 'REST' ? overRest(http, by, gameId, act, input) : overGraphql(http, by, gameId, act, input);
}

async function overRest(http: Http, by: Person, id: string, act: Act, input: Body): Promise<Answered> {
  const path = `/v1/games/${id}/${act.path}`;
  const { status, body, text } = await send(http, path, { method: 'post', body: input }, by);
  const { code, game } = body as { readonly code?: string; readonly game?: { readonly version: number } };
  if (status >= 400) demandNamedInRest('post', path, status, code!);
  return { code: status < 400 ? null : code!, version: game?.version ?? null, text };
}

async function overGraphql(http: Http, by: Person, gameId: string, act: Act, input: Body): Promise<Answered> {
  const query = `mutation ($input: ${capitalized(act.name)}Input!) {
    ${act.name}(input: $input) { game { version status position } } }`;
  const body = { query, variables: toGraphqlSpelling(query, { input: { gameId, ...input } }) };
  const answer = await send(http, '/graphql', { method: 'post', body }, by);
  const { data, errors } = answer.body as {
    readonly data?: Readonly<Record<string, { readonly game: { readonly version: number } }>> | null;
    readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
  };
  const code = errors?.[0]?.extensions.code ?? null;
  if (code !== null) demandNamedInGraphql(query, [], code);
  return { code, version: data?.[act.name]?.game.version ?? null, text: answer.text };
}

const legalIn = ({ app }: TestServer, row: GameRow): readonly string[] =>
  row.status === 'active'
    ? app
        .get(EngineService)
        .legalMoves(row)
        .map(({ move }) => move)
    : [];

/** Every act of both players with each of its samples, in the present state of the game. */
export function attempts(server: TestServer, row: GameRow, now: Date): Promise<readonly Attempt[]> {
  const [state, legal] = [stateOf(row), legalIn(server, row)];
  const all = PLAYERS.flatMap((player) =>
    ACTS.flatMap((act: Act) =>
      act.samples({ state, player, legal }).map((input) => ({ act, player, input })),
    ),
  );
  return Promise.all(all.map((attempt) => expected(server, row, now, attempt)));
}

/** What a player may do according to the API, in all the variants that it lists. */
export function listed(
  server: TestServer,
  row: GameRow,
  now: Date,
  player: Player,
  acts: readonly AllowedAct[],
): Promise<readonly Attempt[]> {
  const [move] = legalIn(server, row);
  const all = acts.flatMap(({ act: name, terms }) => {
    const act: Act = ACTS.find((each) => each.name === name)!;
    if (terms === null) return [{ act, player, input: {} }];
    const { ply, offerDraw, claims } = terms;
    if (claims !== null) return claims.map((claim) => ({ act, player, input: { ...claim } }));
    if (offerDraw === null) return [{ act, player, input: { ply } }];
    return [false, offerDraw].map((offers) => ({ act, player, input: { ply, move, offerDraw: offers } }));
  });
  return Promise.all(all.map((attempt) => expected(server, row, now, attempt)));
}

async function expected(
  server: TestServer,
  row: GameRow,
  now: Date,
  { act, player, input }: Omit<Attempt, 'expected'>,
): Promise<Attempt> {
  const [engine, facts] = [server.app.get(EngineService), server.app.get(FactFinder)];
  const known = await facts.find(act.needs, { row, player, now, current: row }, input);
  const ruled = rule(act, { ...input, ...known, ...situationOf({ row, player, now }) });
  if (!ruled.ok) return { act, player, input, expected: ruled.refusal.code };
  const ruling = ruled.value;
  if (ruling === 'unchanged') return { act, player, input, expected: 'same' };
  const isDone = isMove(ruling)
    ? judged(engine, row, ruling.play, ruling.claim, legalIn(server, row))
    : 'done';
  return { act, player, input, expected: isDone };
}

function judged(
  engine: EngineService,
  row: GameRow,
  move: string,
  claim: Claim | null,
  legal: readonly string[],
): string {
  if (claim === null) return legal.includes(move) ? 'done' : 'ILLEGAL_MOVE';
  try {
    engine.claimWith(row, claim, move);
    return 'done';
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

/**
 * The attempt seen least often for its rule set and result. Acts that end a game are postponed, unless they
 * were never seen.
 */
export function rarest(
  counts: Counts,
  row: GameRow,
  all: readonly Attempt[],
  mayEnd: boolean,
  pick: Random,
): Attempt {
  const ends = ({ act, expected }: Attempt) => act.ends && expected === 'done';
  const mayTry = (attempt: Attempt) =>
    mayEnd || !ends(attempt) || (countOf(counts, row, attempt.act).accepted === 0 && pick(4) === 0);
  const open = all.filter((attempt) => attempt.expected !== 'same' && mayTry(attempt));
  const seen = ({ act, expected }: Attempt) =>
    countOf(counts, row, act)[expected === 'done' ? 'accepted' : 'refused'];
  const least = Math.min(...open.map(seen));
  const rare = open.filter((attempt) => seen(attempt) === least);
  return rare[pick(rare.length)]!;
}

export function countOf(counts: Counts, { ruleset }: Pick<GameRow, 'ruleset'>, { name }: Act) {
  const key = `${ruleset} ${name}`;
  const found = counts.get(key) ?? { accepted: 0, refused: 0 };
  counts.set(key, found);
  return found;
}

/** A move back, if possible and if repetition can be claimed, so that positions repeat; else any move. */
export function someMove(
  { app }: TestServer,
  row: GameRow,
  before: string | undefined,
  pick: Random,
): string {
  const moves = app
    .get(EngineService)
    .legalMoves(row)
    .map(({ move }) => move);
  const mayClaim = rulesetById(row.ruleset)!.claims.length > 0;
  const back = mayClaim && before !== undefined ? before.slice(2, 4) + before.slice(0, 2) : undefined;
  return back !== undefined && moves.includes(back) ? back : moves[pick(moves.length)]!;
}
