import request from 'supertest';
import { read, type FormatId } from '../../src/formats/formats.js';
import { NO_HEAD, type Score, type ScoreTimeControl } from '../../src/formats/score.js';
import type { Http } from './accounts.js';
import type { Body, Play } from './play.js';
import type { Game } from './shown.js';

/** Games as texts, as they are asked for and as they ought to be. */

export interface Sent {
  readonly status: number;
  readonly text: string;
  readonly type: string;
  readonly disposition: string;
  readonly code?: string;
  readonly field?: string;
  readonly detail?: string;
}

/** An export; what is refused has a code. */
export async function exported(http: Http, path: string, query: Body = {}): Promise<Sent> {
  const { status, headers, text } = await request(http)
    .get(`/v1/${path}`)
    .query(query)
    .buffer(true)
    .parse(whole);
  const sent = {
    status,
    text: text ?? '',
    type: headers['content-type'] ?? '',
    disposition: headers['content-disposition'] ?? '',
  };
  return status < 400 ? sent : { ...sent, ...(JSON.parse(sent.text) as Sent) };
}

/** As it came, whatever it is said to be. */
const whole: Parameters<request.Test['parse']>[0] = (response, done) => {
  const parts: Buffer[] = [];
  const answer = response as unknown as NodeJS.ReadableStream & { text: string };
  answer.on('data', (part: Buffer) => parts.push(part));
  answer.on('end', () => {
    answer.text = Buffer.concat(parts).toString();
    done(null, answer.text);
  });
};

/** The games of a text; throws where it is broken. */
export function gamesIn(text: string, format?: FormatId): readonly Score[] {
  if (text === '') return [];
  const found = read(text, { format });
  if (!found.ok) throw new Error(`${JSON.stringify(found.fault)}\n${text}`);
  return found.value;
}

/** What the text of a game ought to say, by what the API shows of it. */
export async function expectedScore(play: Play, id: string): Promise<Score> {
  const { data: game } = await play.game(null, id);
  const { data: moves } = await play.moves(null, id, { first: 100 });
  return {
    ...{ ...NO_HEAD, ruleset: game.ruleset, options: game.options, setup: game.setup, start: null },
    ...{ faceDown: null, id, event: game.rated ? 'Rated game' : 'Casual game' },
    players: { first: game.players.first.username, second: game.players.second.username },
    timeControl: timeControlOf(game),
    startedAt: (game as Game & { readonly createdAt: string }).createdAt.replace(/\.\d+Z$/, 'Z'),
    endedAt: game.endedAt && game.endedAt.replace(/\.\d+Z$/, 'Z'),
    plies: moves.edges.map(({ node }) => ({
      ...{ player: node.player, move: node.move, reveals: node.reveals, captured: node.captured },
      ...{ san: node.san, clock: node.clock, automatic: node.automatic },
    })),
    outcome: game.outcome && { winner: game.outcome.winner, reason: game.outcome.reason },
  };
}

/** Without what it does not have. */
const timeControlOf = ({ timeControl: { noVacation, ...control } }: Game): ScoreTimeControl => {
  const given = Object.entries(control).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(given), ...(noVacation ? { noVacation } : {}) } as ScoreTimeControl;
};
