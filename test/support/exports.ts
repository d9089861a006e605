import { read, type FormatId } from '../../src/formats/formats.js';
import { NO_HEAD, type Facts, type Score, type ScoreTimeControl } from '../../src/formats/score.js';
import { rulesetById } from '../../src/rules/registry.js';
import type { Player } from '../../src/rules/ruleset.js';
import type { Api } from './api.js';
import { type Game, playerAt } from './api-types.js';
import { type By, type Http, type Rest, send } from './transport.js';

/** Exports of games as texts, and what they must contain. */

export interface Sent {
  readonly status: number;
  readonly text: string;
  readonly type: string;
  readonly disposition: string;
  readonly code?: string;
  readonly field?: string;
  readonly detail?: string;
}

/** An export with its headers, or the code of its refusal. */
export async function exported(http: Http, { path, query }: Rest, by: By = null): Promise<Sent> {
  const { status, headers, text, body } = await send(http, `/v1/${path}`, { query }, by);
  const sent = {
    status,
    text,
    type: headers['content-type'] ?? '',
    disposition: headers['content-disposition'] ?? '',
  };
  return status < 400 ? sent : { ...sent, ...(body as Sent) };
}

/** The games of a text; throws if it is malformed. */
export function gamesIn(text: string, format?: FormatId): readonly Score[] {
  if (text === '') return [];
  const found = read(text, { format });
  if (!found.ok) throw new Error(`${JSON.stringify(found.refusal)}\n${text}`);
  return found.value;
}

/** The expected text of a game, from what the API shows of it. */
export async function expectedScore(api: Api, id: string): Promise<Score> {
  const { data: game } = await api.game(null, id);
  const { data: moves } = await api.moves(null, id, { first: 100 });
  return {
    ...{ ...NO_HEAD, ruleset: game.ruleset.id, options: game.options, setup: game.setup, start: null },
    ...{
      faceDown: null,
      id,
      site: game.url,
      event: game.rated ? 'Rated game' : 'Casual game',
    },
    players: { first: playerAt(game, 'first').username, second: playerAt(game, 'second').username },
    timeControl: timeControlOf(game),
    startedAt: (game as Game & { readonly createdAt: string }).createdAt.replace(/\.\d+Z$/, 'Z'),
    endedAt: game.endedAt && game.endedAt.replace(/\.\d+Z$/, 'Z'),
    tags: ratingTags(game),
    facts: factsOf(game),
    plies: moves.edges.map(({ node }) => ({
      ...{ player: node.player, move: node.move, reveals: node.reveals, captured: node.captured },
      ...{ san: node.san, timeUsed: node.timeUsed, automatic: node.automatic },
      clock: game.timeControl.perMove ? game.timeControl.perMove.seconds - node.timeUsed : node.clock,
    })),
    outcome: game.outcome && { winner: game.outcome.winner, reason: game.outcome.reason },
  };
}

function factsOf(game: Game): Facts {
  const player = (seat: Player) => {
    const change = game.ratingChanges?.[seat];
    return {
      id: playerAt(game, seat).id,
      rating: change?.before ?? null,
      ratingDiff: change?.change ?? null,
    };
  };
  const { commitment, dealRoot, creator, creatorSeed, accepterSeed, clientSeeds } = game.fairness;
  return {
    rulesetVersion: rulesetById(game.ruleset.id)!.version,
    rated: game.rated,
    players: { first: player('first'), second: player('second') },
    fairness: {
      ...{ format: 2, commitment, dealRoot, creator, creatorSeed, accepterSeed },
      clientSeeds: { first: clientSeeds.first, second: clientSeeds.second },
      ...{ headHash: game.fairness.headHash, serverSeed: game.fairness.serverSeed },
      record: game.url.replace(/(?=\/games\/)/, '/v1') + '/record',
    },
  };
}

/** The prefix of the player tags: the colours, if these are fixed from the start. */
function namesIn(ruleset: string): Readonly<Record<Player, string>> {
  const { hidden, sides } = rulesetById(ruleset)!;
  const [first, second] = hidden ? ['first', 'second'] : sides;
  return { first: capital(first), second: capital(second) };
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function ratingTags({ ruleset, ratingChanges }: Game): Record<string, string> {
  const names = namesIn(ruleset.id);
  const pairs = Object.entries(ratingChanges ?? {}).flatMap(([player, { before, after }]) => {
    const name = names[player as Player];
    const [from, to] = [Math.round(before), Math.round(after)];
    return [[`${name}Elo`, `${from}`] as const, [`${name}RatingDiff`, to < from ? `${to - from}` : `+${to - from}`] as const]; // prettier-ignore
  });
  return Object.fromEntries(pairs);
}

/** With its type as a field, as exports have it. */
function timeControlOf({ timeControl }: Game): ScoreTimeControl {
  const [type, parts] = Object.entries(timeControl)[0]!;
  const { noVacation, ...control } = parts as { readonly noVacation: boolean };
  return { type, ...control, ...(noVacation ? { noVacation } : {}) } as ScoreTimeControl;
}
